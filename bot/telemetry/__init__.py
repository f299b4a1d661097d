"""Telemetry for operators: metrics, health checks, and one id through all log lines of an interaction."""
