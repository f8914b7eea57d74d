import asyncio
import re
import sqlite3
from abc import ABC, abstractmethod

from .exceptions import ClinicError


class Analyzer(ABC):
    @abstractmethod
    def run(self, sample):
        pass


class Centrifuge(Analyzer):
    def spin(self):
        return 1


class Store:
    def __init__(self):
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.execute("create table sample (id integer primary key, kind text check (kind <> ''))")

    def add(self, kind):
        self.db.execute("insert into sample (kind) values (?)", [kind])

    def count(self, kind):
        return self.db.execute("select count(*) from samples where kind = ?", [kind]).fetchone()[0]

    def find(self, number):
        row = self.db.execute("select kind from sample where id = :id", {"nr": number}).fetchone()
        return row

    def keep(self, value):
        self.db.execute("insert into sample (kind) values (?)", [value])


def read_code(text):
    found = re.fullmatch(r"([A-Z]+)-(\d+)", text)
    return found.groups()


def compile_filter(text):
    return re.compile(text)


async def result_of(sample):
    await asyncio.sleep(0)
    if sample["state"] == "lost":
        raise ClinicError("sample lost")
    return sample["result"]


async def results(samples):
    tasks = [asyncio.create_task(result_of(sample)) for sample in samples]
    return [await task for task in tasks]


async def wait_for_result():
    await asyncio.wait_for(asyncio.Event().wait(), timeout=0.01)


def chunks(values, size):
    for start in range(0, len(values), size):
        yield values[start : start + size]


def average(values):
    means = (sum(chunk) / len(chunk) for chunk in chunks(values, 2))
    return list(means)


def level(value):
    match = {"low": 1, "high": 2}
    return match[value]


def normalise(reading):
    if reading:
        scale = 2
    result = [scale * part for part in reading]
    return result
