import ast
import configparser
import importlib
import os
import string

from .registry import command


class Setting:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return instance.values[self.name]


class Settings:
    region = Setting()
    drivers = Setting()

    def __init__(self, values):
        self.values = values


@command("region")
def region(values):
    return Settings(values).region


@command("drivers")
def drivers(values):
    return len(Settings(values).drivers)


@command("read_ini")
def read_ini(text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    return parser["depot"]["city"]


@command("ini_number")
def ini_number(text):
    parser = configparser.ConfigParser()
    parser.read_string(f"[depot]\ngates = {text}")
    return parser.getint("depot", "gates")


@command("read_literal")
def read_literal(text):
    return ast.literal_eval(text)


@command("plugin")
def plugin(name):
    return importlib.import_module("courier.plugins." + name)


@command("variable")
def variable(name):
    return os.environ["COURIER_" + name.upper()]


@command("mail_template")
def mail_template(values):
    return string.Template("Dear $name, your parcel is $place.").substitute(values)
