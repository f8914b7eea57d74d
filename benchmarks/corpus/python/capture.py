"""
Runs one release of an app under this interpreter, triggers each known bug twice, and writes one JSON line per error:
its traceback as Python prints it, and the report of our Python SDK.

    python capture.py APP_FOLDER RELEASE SOURCE_FOLDER SHOWN_FOLDER SDK_FOLDER SHOWN_PYTHON
"""
import importlib.util
import json
import logging
import os
import random
import sys
import threading
import traceback

WORDS = "amber birch cedar delta ember fjord grove heron iris jade kiwi lotus maple north olive pearl quartz river sage tulip".split()


class Values:
    """Values that differ in each occurrence of a bug, and are the same in each run."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def word(self):
        return self.random.choice(WORDS)

    def number(self):
        return self.random.randint(100, 9_999)

    def day(self):
        return self.random.randint(1, 28)

    def id(self):
        return f"{self.random.choice('ABCDEF')}{self.number()}"

    def one(self, *values):
        return self.random.choice(values)


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trigger(main, action, params, in_thread):
    """Returns the exception of an action, with the frames of the app only."""
    try:
        if in_thread:
            return trigger_in_thread(main, action, params)
        main.handle(action, params)
    except Exception as error:
        return error.with_traceback(error.__traceback__.tb_next)
    raise SystemExit(f"{action} did not fail")


def trigger_in_thread(main, action, params):
    caught = []
    threading.excepthook = lambda args: caught.append(args.exc_value)
    main.handle_in_thread(action, params)
    return caught[0]


def main():
    app, release, source, shown, sdk, shown_python = sys.argv[1:]
    packages = os.path.join(source, "venv", "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
    os.renames(os.path.join(source, "vendor"), packages)
    sys.path[:0] = [source, packages, sdk]
    logging.disable()
    from service_sdk._describe import describe_exceptions
    from service_sdk._exceptions import read_exception
    from service_sdk._options import Options

    options = Options()
    bugs = load("bugs", os.path.join(app, "bugs.py")).BUGS
    renamed = load("releases", os.path.join(app, "releases.py")).RELEASES[release].get("renamed_views", {})
    entry = load("main", os.path.join(source, "main.py"))
    engine = f"{'pypy' if sys.implementation.name == 'pypy' else 'cpython'}{sys.version_info[0]}.{sys.version_info[1]}"
    places = [
        (source, shown),
        (os.path.realpath(sys.base_prefix), shown_python),
        (sys.base_prefix, shown_python),
        (sys.executable, f"{shown_python}/bin/python3"),
    ]

    def public(text):
        for real, public_path in places:
            text = text.replace(json.dumps(real)[1:-1], public_path)
        return text

    for number, (bug, action, make, *since) in enumerate(bugs):
        if since and sys.version_info < since[0]:
            continue
        for occurrence in (1, 2):
            # Word and number of an occurrence differ between interpreters and releases, too.
            value = Values(f"{bug} {release} {engine} {occurrence}")
            error = trigger(entry, renamed.get(action, action), make(value), in_thread=number % 10 == 9)
            record = {
                "id": f"{bug}/{release}/{engine}/{occurrence}",
                "bug_id": bug,
                "app": os.path.basename(app),
                "engine": engine,
                "release": release,
                "message": str(error),
                "text": "".join(traceback.format_exception(type(error), error, error.__traceback__)),
                "report": describe_exceptions(read_exception(error), options),
            }
            print(public(json.dumps(record)))


main()
