import base64
import json
import struct
import uuid
import xml.etree.ElementTree as tree
import zlib

from .problems import CourierProblem
from .registry import command


class Event:
    def __init__(self, kind, position, **details):
        self.kind = kind
        self.position = position
        self.details = details

    def describe(self):
        return "{kind} at {position} by {driver}".format(kind=self.kind, position=self.position, **self.details)


class Timeline(list):
    def newest(self):
        return self[-1]

    def between(self, start, end):
        return [event for event in self if start <= event.position < end]


@command("read_scanner")
def read_scanner(data):
    return struct.unpack(">IHB", data)


@command("read_payload")
def read_payload(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


@command("read_id")
def read_id(text):
    return uuid.UUID(text).hex


@command("read_xml")
def read_xml(text):
    return tree.fromstring(text).find("event").text


@command("describe_event")
def describe_event(details):
    return Event("scan", 4, **details).describe()


@command("newest_event")
def newest_event(events):
    return Timeline(events).newest()


@command("events_between")
def events_between(position):
    return Timeline([Event("scan", position)]).between(1, 9)


@command("make_event")
def make_event(details):
    return Event("scan", 5, **details)


@command("publish")
def publish(event):
    try:
        return json.dumps(event)
    except TypeError:
        raise CourierProblem("The event cannot be published")


@command("decode")
def decode(data):
    return data.decode("utf-8")


@command("signature")
def signature(image):
    width, height = image["size"]
    return bytes(image["pixels"][row * width] for row in range(height))
