# Reads blocks of Python as JSON. Prints a line for each block with a syntax error, and for each name or option that
# service_sdk does not have.
import ast
import dataclasses
import importlib
import json
import sys

from service_sdk._options import Options

options = {field.name for field in dataclasses.fields(Options)}


def problems(code):
    try:
        tree = ast.parse(code)
    except SyntaxError as error:
        yield f"{error.lineno} {error.msg}"
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("service_sdk"):
            module = importlib.import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name):
                    yield f"{node.lineno} {node.module} has no {alias.name}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "service_sdk":
            if not hasattr(importlib.import_module("service_sdk"), node.attr):
                yield f"{node.lineno} service_sdk has no {node.attr}"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "service_sdk.init":
            for keyword in node.keywords:
                if keyword.arg is not None and keyword.arg not in options:
                    yield f"{node.lineno} init() has no option {keyword.arg}"


for block in json.load(sys.stdin):
    for problem in problems(block["code"]):
        line, text = problem.split(" ", 1)
        print(f"{block['page']}:{block['line'] + int(line) - 1} {text}")
