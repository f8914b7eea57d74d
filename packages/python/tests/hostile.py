"""Exceptions that are hard to read, created at random from a seed."""

import os
import random
import sys
import tempfile
import types
from typing import Any, Callable, Dict, List, Tuple

_SURROGATE = "\ud83d cut \udcff"


class HostileText(str):
    """A text whose methods raise."""

    def __str__(self) -> str:
        raise SystemExit("str")

    def __len__(self) -> int:
        raise OSError("len")

    def __eq__(self, other: object) -> bool:
        raise OSError("eq")

    def __hash__(self) -> int:
        raise OSError("hash")

    def encode(self, *args: Any, **options: Any) -> bytes:
        raise OSError("encode")

    def replace(self, *args: Any, **options: Any) -> str:
        raise OSError("replace")


def raising(kind: Callable[..., BaseException]) -> Callable[..., Any]:
    def method(*args: Any, **options: Any) -> Any:
        raise kind("hostile")

    return method


#: The exceptions that hostile methods raise. Not `KeyboardInterrupt`, with which the user stops the program.
RAISED: List[Callable[..., BaseException]] = [
    RuntimeError,
    SystemExit,
    GeneratorExit,
    MemoryError,
    RecursionError,
    AttributeError,
    BaseException,
]


def _nested() -> Any:
    value: Any = "core"
    for number in range(1_000):
        value = [value] if number % 2 else {"next": value}
    return value


_NESTED = _nested()
_LONG_LIST = list(range(100_000))
_LONG_DICT = {number: "value" * 10 for number in range(10_000)}
_LONG_TEXTS = ["line\n" * 5_000, "é" * 200_000, "x" * 3_000_000, "token=abc&" * 3_000, "a@" * 20_000]


def texts(chance: random.Random) -> Any:
    """Returns a value that a method may return in place of a text."""
    return chance.choice(
        [
            "",
            "plain",
            _SURROGATE,
            HostileText("subclass"),
            "\x00\x1b[31m\u202e\ufeff",
            *_LONG_TEXTS,
            'Traceback (most recent call last):\n  File "a.py", line 1, in f\n',
            b"bytes",
            None,
            7,
        ]
    )


def any_value(chance: random.Random) -> Any:
    """Returns a value that a program might log, or one that no program should."""
    return chance.choice(_VALUES)(chance)


def _cyclic(chance: random.Random) -> Any:
    value: Dict[str, Any] = {"list": []}
    value["self"] = value
    value["list"].append(value)
    return value


def _object(chance: random.Random) -> Any:
    names = ["__repr__", "__str__", "__eq__", "__hash__", "__bool__", "__len__", "__iter__", "__getattr__", "keys"]
    methods = {name: raising(chance.choice(RAISED)) for name in chance.sample(names, 4)}
    if chance.random() < 0.3:
        methods["__repr__"] = lambda self: texts(chance)
    base: Any = chance.choice([object, dict, list, int, float, str, bytes])
    created = type("Thing", (base,), methods)()
    return created


def _lying(chance: random.Random) -> Any:
    claimed: Any = chance.choice([str, dict, list, int, BaseException, bool])
    return type("Liar", (), {"__class__": property(lambda self: claimed)})()


def _endless(chance: random.Random) -> Any:
    class Endless(Dict[str, Any]):
        def __iter__(self) -> Any:
            number = 0
            while True:
                number += 1
                yield f"key {number}"

        def __getitem__(self, key: Any) -> Any:
            return self

    return Endless(start=1)


class HostileKey:
    def __str__(self) -> str:
        raise SystemExit("key")


_VALUES: List[Callable[[random.Random], Any]] = [
    lambda chance: texts(chance),
    lambda chance: _NESTED,
    _cyclic,
    _object,
    _lying,
    _endless,
    lambda chance: _LONG_LIST,
    lambda chance: _LONG_DICT,
    lambda chance: {_SURROGATE: _SURROGATE, HostileKey(): 1, None: 2},
    lambda chance: [float("nan"), float("inf"), -0.0, 10**400, 2**64, 1j],
    lambda chance: {"password": "hunter22", "nested": {"api_key": [1, 2]}},
    lambda chance: b"\xff" * 100_000,
    lambda chance: object(),
    lambda chance: (value for value in range(3)),
    lambda chance: sys.modules,
    lambda chance: random,
]


def _text_method(chance: random.Random, name: str) -> BaseException:
    if chance.random() < 0.5:
        method = raising(chance.choice(RAISED))
    else:
        text = texts(chance)
        method = lambda self: text  # noqa: E731
    error = type("Mute", (Exception,), {name: method})("args", chance.random())
    assert isinstance(error, BaseException)
    return error


def _attributes(chance: random.Random) -> BaseException:
    names = ["__class__", "__dict__", "__traceback__", "__cause__", "__context__", "__notes__", "exceptions", "args", "msg"]
    properties = {name: property(raising(chance.choice(RAISED))) for name in chance.sample(names, 3)}
    return type("Hidden", (chance.choice([Exception, SyntaxError, OSError]),), properties)("hidden")


def _getattribute(chance: random.Random) -> BaseException:
    return type("Closed", (Exception,), {"__getattribute__": raising(chance.choice(RAISED))})("closed")


def _compared(chance: random.Random) -> BaseException:
    names = ["__eq__", "__hash__", "__bool__", "__len__", "__iter__", "__reduce_ex__", "__setattr__", "__format__"]
    return type("Odd", (ValueError,), {name: raising(chance.choice(RAISED)) for name in names})("odd")


def _metaclass(chance: random.Random) -> BaseException:
    names = ["__name__", "__module__", "__mro__", "__instancecheck__", "__subclasscheck__", "__eq__", "__hash__", "mro"]
    chosen = [name for name in chance.sample(names, 3) if name != "mro"]
    members: Dict[str, Any] = {}
    for name in chosen:
        method = raising(chance.choice(RAISED))
        members[name] = method if name.endswith("check__") or name in ("__eq__",) else property(method)
    members["__hash__"] = type.__hash__
    meta = type("Meta", (type,), members)
    return meta("Meta made", (Exception,), {})("by a metaclass")


def _class_names(chance: random.Random) -> BaseException:
    name = chance.choice(["x" * 10_000, "a\nb", 'quote"', "…", "<lambda>", "a.b.c", ""])
    module = chance.choice([None, 7, _SURROGATE, HostileText("module"), "m" * 10_000, "a.b\nc"])
    return type(name, (Exception,), {"__module__": module})("named")


def _own_dict(chance: random.Random) -> BaseException:
    class Dictionary(Dict[Any, Any]):
        get = __getitem__ = __setitem__ = __iter__ = keys = items = raising(SystemExit)

    error = ValueError("own dict")
    error.__dict__ = Dictionary({"code": 7, "token": "hush", HostileKey(): 1} if chance.random() < 0.5 else {})
    return error


def _own_attributes(chance: random.Random) -> BaseException:
    error: Any = OSError(chance.randrange(100), _SURROGATE, _SURROGATE)
    for number in range(chance.choice([1, 1_000])):
        setattr(error, f"value{number}", any_value(chance))
    return error


def _notes(chance: random.Random) -> BaseException:
    error: Any = ValueError("with notes")
    error.__notes__ = chance.choice([[texts(chance), any_value(chance)], "text", [7] * 10_000, any_value(chance)])
    return error


def _arguments(chance: random.Random) -> BaseException:
    kinds: List[Any] = [KeyError, ValueError, OSError, StopIteration, AssertionError, ImportError, SystemExit]
    return chance.choice(kinds)(*[any_value(chance) for _ in range(chance.randrange(3))])


def _cycle(chance: random.Random) -> BaseException:
    errors = [ValueError(f"cyclic {number}") for number in range(chance.choice([1, 2, 5]))]
    for index, error in enumerate(errors):
        error.__cause__ = errors[(index + 1) % len(errors)]
        error.__context__ = errors[index - 1]
    return errors[0]


def _long_chain(chance: random.Random) -> BaseException:
    error = ValueError("first")
    for number in range(2_000):
        following = ValueError(f"link {number}")
        following.__context__ = error
        error = following
    return error


def _group(chance: random.Random) -> BaseException:
    create: Any = getattr(sys.modules["builtins"], "ExceptionGroup", None)
    if create is None:
        error: Any = ValueError("like a group")
        error.exceptions = tuple(make(chance) for _ in range(chance.choice([0, 3])))
        return error
    if chance.random() < 0.5:
        return create("wide", [ValueError(str(number)) for number in range(chance.choice([1, 1_000]))])
    error = make(chance)
    if not issubclass(type(error), Exception):
        error = ValueError("core")
    for number in range(1_000):
        error = create(f"level {number}", [error])
    return error


def _recursion(chance: random.Random) -> BaseException:
    def descend() -> None:
        descend()

    try:
        descend()
    except RecursionError as error:
        return error
    raise AssertionError


def _base(chance: random.Random) -> BaseException:
    return chance.choice([SystemExit, GeneratorExit, BaseException, StopAsyncIteration])(texts(chance))


def _syntax(chance: random.Random) -> BaseException:
    error = SyntaxError(any_value(chance), ("file.py", 10**9, -5, texts(chance)))
    error.msg = any_value(chance)
    return error


def _unicode(chance: random.Random) -> BaseException:
    return UnicodeDecodeError("utf-8", b"\xff" * 1_000_000, 0, 1, "reason")


_KINDS: List[Callable[[random.Random], BaseException]] = [
    lambda chance: _text_method(chance, "__str__"),
    lambda chance: _text_method(chance, "__repr__"),
    _attributes,
    _getattribute,
    _compared,
    _metaclass,
    _class_names,
    _own_dict,
    _own_attributes,
    _notes,
    _arguments,
    _cycle,
    _long_chain,
    _group,
    _recursion,
    _base,
    _syntax,
    _unicode,
]


def make(chance: random.Random) -> BaseException:
    """Returns an exception that is not raised yet."""
    try:
        return chance.choice(_KINDS)(chance)
    except BaseException as error:  # noqa: B902 - some interpreters refuse some of these
        return error


def _raise_from_locals(error: BaseException, chance: random.Random) -> None:
    first, second, secret_token = any_value(chance), any_value(chance), "hush"
    raise error


def _raise_from_code(error: BaseException, chance: random.Random) -> None:
    """Raises from code whose file, module and loader are wrong."""

    class Loader:
        get_source = raising(chance.choice(RAISED)) if chance.random() < 0.5 else lambda self, name: any_value(chance)

    class Globals(Dict[str, Any]):
        get = keys = raising(SystemExit)

    name = chance.choice(_FILES)
    names = Globals if chance.random() < 0.5 else dict
    # A module may have any name.
    values: Dict[str, Any] = {"__name__": any_value(chance), "__loader__": Loader(), "error": error, "__builtins__": {}}
    exec(compile("\n" * chance.randrange(500) + "raise error", name, "exec"), names(values))


def _raise_deep(error: BaseException, chance: random.Random) -> None:
    def descend(levels: int) -> None:
        if levels == 0:
            raise error
        descend(levels - 1)

    descend(chance.choice([1, 150, 400]))


def _raise_with_built_traceback(error: BaseException, chance: random.Random) -> None:
    frame = sys._getframe()
    traceback = None
    for _ in range(chance.choice([1, 5_000])):
        traceback = types.TracebackType(traceback, frame, chance.choice([-1, 0, 10**6]), chance.choice([-1, 0, 2**31 - 1]))
    raise error.with_traceback(traceback)


def _raise_in_generator(error: BaseException, chance: random.Random) -> None:
    def generate() -> Any:
        yield 1
        raise error

    list(generate())


def _pipe() -> str:
    path = os.path.join(tempfile.mkdtemp(), "pipe.py")
    os.mkfifo(path)
    return path


_FILES = [
    "/dev/zero",
    "/proc/self/mem",
    "/",
    "",
    "<string>",
    "a\nb.py",
    _SURROGATE,
    "x" * 50_000,
    "../../../etc/passwd",
    "C:\\app\\main.py",
    "nul\x00.py",
    os.devnull,
    sys.executable,
    _pipe(),
]
_WAYS: List[Callable[[BaseException, random.Random], None]] = [
    _raise_from_locals,
    _raise_from_code,
    _raise_deep,
    _raise_with_built_traceback,
    _raise_in_generator,
]


def raised(chance: random.Random) -> BaseException:
    """Returns an exception that was raised, or one that never was."""
    error = make(chance)
    if chance.random() < 0.1:
        return error
    try:
        chance.choice(_WAYS)(error, chance)
    except BaseException as caught:  # noqa: B902
        # Python raises another one if it cannot raise this one.
        return caught
    return error


def situation(chance: random.Random) -> Tuple[BaseException, Dict[str, Any]]:
    """Returns an exception and the context of its report."""
    context = {
        name: any_value(chance)
        for name in ("level", "metadata", "tags", "user", "fingerprint")
        if chance.random() < 0.2
    }
    return raised(chance), context
