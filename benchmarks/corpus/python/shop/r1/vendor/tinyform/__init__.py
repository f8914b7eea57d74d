"""A small form library, as an app would install it."""
from .fields import Form, Integer, Text
