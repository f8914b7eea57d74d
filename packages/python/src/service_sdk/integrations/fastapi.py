"""Integration of FastAPI."""

from .starlette import init_app as init_app
