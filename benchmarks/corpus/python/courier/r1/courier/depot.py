import contextlib
import itertools
import queue
import sqlite3

from .registry import command


@contextlib.contextmanager
def database():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table shelf (id integer primary key, place text not null, parcel text unique)")
    try:
        yield connection
    finally:
        connection.close()


@command("store")
def store(place, parcel):
    with database() as connection:
        for _ in range(2):
            connection.execute("insert into shelf (place, parcel) values (?, ?)", (place, parcel))


@command("store_anywhere")
def store_anywhere(parcel):
    with database() as connection:
        connection.execute("insert into shelf (place, parcel) values (null, ?)", (parcel,))


@command("shelves")
def shelves(order):
    with database() as connection:
        return connection.execute(f"select place from shelf order by {order}").fetchall()


@command("shelf")
def shelf(number):
    with database() as connection:
        (place,) = connection.execute("select place from shelf where id = ?", (number,)).fetchone()
        return place


@command("next_job")
def next_job():
    return queue.Queue().get_nowait()


@command("pack")
def pack(parcels, size):
    batches = iter(lambda: list(itertools.islice(iter(parcels), size)), [])
    return next(batches)[size]


@command("pick")
def pick(places):
    remaining = set(places)
    remaining.remove("A1")
    return remaining.pop().parcel


@command("count_shelves")
def count_shelves(rows):
    totals = {}
    for row in rows:
        totals[row["shelf"]] += 1
    return totals


@command("open_gate")
def open_gate(path):
    with open(path) as file:
        return file.read()


@command("print_list")
def print_list(rows):
    return "\n".join(rows)
