"""A whole upgrade: its phases in order, recorded, resumable, written whole or not at all."""
