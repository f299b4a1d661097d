"""The limits that the schema document does not hold."""
