"""What people press, and how it is answered."""
