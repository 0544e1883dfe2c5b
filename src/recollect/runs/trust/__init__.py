"""Examination of memories (`doctor`) and measurement of judges (`checks`).

The doctor starts `doctor_process` with `python -m`; it sets its clock before it imports anything else.
"""
