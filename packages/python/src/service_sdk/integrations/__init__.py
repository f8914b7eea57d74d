"""Integrations of frameworks. A framework is imported only by the integration that the program calls."""
