"""Loading tables into memory, and packing or removing old ones."""
