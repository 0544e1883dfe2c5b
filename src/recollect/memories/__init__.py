"""The built-in memories: one file each, with one module-level `KIND`."""
