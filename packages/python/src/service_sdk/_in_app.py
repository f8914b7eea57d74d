"""Distinguishes code of the app from the standard library and from dependencies."""

import os
import site
import sys
import sysconfig
from typing import Collection, Set, Tuple

_DEPENDENCY_FOLDERS = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def _find_library_folders() -> Tuple[str, ...]:
    folders: Set[str] = set()
    for name in ("stdlib", "platstdlib", "purelib", "platlib"):
        folders.add(sysconfig.get_paths().get(name) or "")
    try:
        folders.add(site.getusersitepackages())
    except Exception:
        # Embedded interpreters have no user folder.
        pass
    # A module of the standard library shows where PyPy keeps it.
    folders.add(os.path.dirname(os.__file__))
    return tuple(os.path.join(folder, "") for folder in folders if folder)


#: Found with the first frame. Not `lru_cache`, which has a lock on PyPy that a forked child might inherit.
_library_folders: Tuple[str, ...] = ()


def is_in_app(file: str, module: str, include: Collection[str], exclude: Collection[str]) -> bool:
    """Returns whether a frame is code of the app itself."""
    global _library_folders
    _library_folders = _library_folders or _find_library_folders()
    if _is_listed(module, include):
        return True
    if not file or file.startswith("<") or _is_listed(module, exclude) or module.split(".")[0] == "service_sdk":
        return False
    if any(folder in file for folder in _DEPENDENCY_FOLDERS) or file.startswith(_library_folders):
        return False
    return not (sys.prefix != sys.base_prefix and file.startswith(os.path.join(sys.base_prefix, "lib", "")))


def _is_listed(module: str, modules: Collection[str]) -> bool:
    return any(module == listed or module.startswith(f"{listed}.") for listed in modules)
