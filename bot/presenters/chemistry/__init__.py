"""The words and pictures of the three games of chemistry."""
