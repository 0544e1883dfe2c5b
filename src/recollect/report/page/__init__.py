"""The HTML page, section by section.

Start at `tasks`, what is said of each task. `html` fills the templates and sets the content policy, which lets
nothing load or run that is not in the page; `payload` is the data of its question pages.
"""
