import base64
import csv
import io
import json
import re
import struct
import uuid
import xml.etree.ElementTree as xml

from .errors import ImportFailed


def read_json(text):
    return json.loads(text)


def read_setting(text, name):
    settings = json.loads(text)
    return settings["shop"][name]


def dump(value):
    return json.dumps(value)


def rows_of(text):
    for number, row in enumerate(csv.DictReader(io.StringIO(text))):
        yield number, int(row["count"])


def import_rows(text):
    stock = {}
    for number, count in rows_of(text):
        stock[number] = count
    return stock


def import_prices(text):
    prices = {}
    for line in text.splitlines():
        try:
            name, price = line.split(";")
            prices[name] = float(price)
        except ValueError as error:
            raise ImportFailed(f"line {line} is not a price") from error
    return prices


def search_pattern(pattern, text):
    return re.search(pattern, text)


def year_of(text):
    return re.match(r"(\d{4})-", text).group(1)


def group_of(text):
    return re.match(r"(\w+)", text).group("name")


def parse_xml(text):
    return xml.fromstring(text).find("price").text


def decode(data):
    return data.decode("utf-8")


def decode_header(text):
    return base64.b64decode(text)


def unpack(data):
    return struct.unpack("<HI", data)


def batch_id(text):
    return uuid.UUID(text)


def image(path):
    with open(path, "rb") as file:
        return file.read()
