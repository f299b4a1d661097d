"""The lab: plays two sets of rules against each other and reports the differences."""
