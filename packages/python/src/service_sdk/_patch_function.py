"""Replaces functions of the interpreter and of the standard library."""

import functools
from typing import Any, Callable

Teardown = Callable[[], None]


def patch_function(owner: Any, name: str, create: Callable[[Any], Any]) -> Teardown:
    """Replaces a function of a module or a class by what ``create`` makes of the original.

    The returned function restores the original, unless the program has replaced the function again.
    """
    original = getattr(owner, name)
    replaced = functools.wraps(original)(create(original))
    setattr(owner, name, replaced)

    def restore() -> None:
        if getattr(owner, name) is replaced:
            setattr(owner, name, original)

    return restore
