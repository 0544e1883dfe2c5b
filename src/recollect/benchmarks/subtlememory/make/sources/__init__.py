"""What cases are made of: persons of PersonaMem-v2, and records of five sources about the world. Start at `tasks`."""
