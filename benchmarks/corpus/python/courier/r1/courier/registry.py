"""The commands of the program, by name."""
import functools
import inspect

_commands = {}


def command(name):
    def register(function):
        @functools.wraps(function)
        def checked(**params):
            inspect.signature(function).bind(**params)
            return function(**params)

        _commands[name] = checked
        return checked

    return register


def find(name):
    return _commands[name]
