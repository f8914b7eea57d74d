"""
Recreates `captured/*.jsonl.gz`: runs each release of each app under each interpreter that is given.

    python3 benchmarks/corpus/python/regenerate.py PYTHON…
"""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SDK = os.path.join(HERE, "..", "..", "..", "packages", "python", "src")
APPS = ["shop", "clinic", "courier"]


def load_releases(app):
    names = {}
    with open(os.path.join(HERE, app, "releases.py")) as file:
        exec(file.read(), names)
    return names["RELEASES"]


def build(app, release, previous, target):
    """Writes the source of a release: the previous one, with its moves and edits."""
    shutil.copytree(previous, target)
    for old, new in release["moves"].items():
        os.makedirs(os.path.dirname(os.path.join(target, new)), exist_ok=True)
        os.rename(os.path.join(target, old), os.path.join(target, new))
        package = os.path.join(os.path.dirname(os.path.join(target, new)), "__init__.py")
        if not os.path.exists(package):
            open(package, "w").close()
    for file, before, after in release["edits"]:
        path = os.path.join(target, file)
        with open(path) as source:
            text = source.read()
        if text.count(before) != 1:
            raise SystemExit(f"{app}/{file}: expected once, found {text.count(before)} times: {before}")
        with open(path, "w") as source:
            source.write(text.replace(before, after))


def shift(folder, lines):
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "vendor"]
        for name in files:
            if name.endswith(".py"):
                path = os.path.join(root, name)
                with open(path) as source:
                    text = source.read()
                with open(path, "w") as source:
                    source.write("#\n" * lines + text)


def shown_python(python):
    """Returns where this interpreter would be installed on a server."""
    info = subprocess.check_output(
        [python, "-c", "import sys; print(sys.implementation.name, sys.version_info[1])"], text=True
    ).split()
    if info[0] == "pypy":
        return "/usr"
    return {"9": "/usr/local", "11": "/usr", "13": "/home/app/.pyenv/versions/3.13.0"}.get(info[1], "/usr/local")


def capture(app, pythons, folder):
    records = []
    previous = os.path.join(HERE, app, "r1")
    for name, release in load_releases(app).items():
        plain = os.path.join(folder, app, name, "plain")
        build(app, release, previous, plain)
        previous = plain
        for number, python in enumerate(pythons):
            source = os.path.join(folder, app, name, str(number), "app")
            shutil.copytree(plain, source)
            shift(source, release["shift"])
            command = [python, os.path.join(HERE, "capture.py"), os.path.join(HERE, app), name, source]
            output = subprocess.check_output([*command, release["folder"], SDK, shown_python(python)], text=True)
            records.extend(output.splitlines())
            print(app, name, python, len(output.splitlines()), file=sys.stderr)
    return records


def main():
    pythons = sys.argv[1:]
    if not pythons:
        raise SystemExit(__doc__)
    for app in APPS:
        with tempfile.TemporaryDirectory() as folder:
            records = capture(app, pythons, folder)
        with gzip.GzipFile(os.path.join(HERE, "captured", f"{app}.jsonl.gz"), "wb", mtime=0) as file:
            file.write("\n".join(records).encode() + b"\n")


main()
