"""Requests, permissions and settings of the people at a table."""
