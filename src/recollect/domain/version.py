"""The version of the package. Releases change this line and the one in pyproject.toml."""

VERSION = "0.1.0"
