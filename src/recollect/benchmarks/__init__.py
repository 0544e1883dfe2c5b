"""The benchmarks, one package each, with the same modules in the same order of reading; they do not import each other.

Start at `own`, the smallest complete one, then docs/add_a_benchmark.md.
"""
