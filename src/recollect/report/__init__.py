"""Shows what `diagnose` found: one HTML page with CSV files of the same numbers. All text of a run is data.

Start at `writer.write`. `page` holds the sections of the page, `charts` the SVG, `tables` the CSV and Parquet
files, `exports` other formats. `numbers` is the only place where ratios become percent. Templates, style and script
are in `templates`.
"""
