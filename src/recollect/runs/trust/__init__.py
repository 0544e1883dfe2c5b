"""What may be believed of memories and judges: `doctor` examines a memory, `checks` measures judges.

`doctor_process` is the process that the doctor starts with `python -m`; it sets its clock before it imports anything.
"""
