"""A table as people see and play it: lobby, board and hand."""
