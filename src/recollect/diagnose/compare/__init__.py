"""Two or more rows or runs side by side: which is better, by how much, and which setting differs.

Start at `pairs` for two rows, `ablation` for runs that differ in one setting, `ranks` for the order of rows in two
runs, `knobs` for the settings in which two runs differ.
"""
