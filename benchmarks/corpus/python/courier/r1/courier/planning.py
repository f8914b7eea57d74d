import asyncio
import concurrent.futures
import datetime
import functools

from geolite import Point, distance

from .problems import CapacityExceeded, CourierProblem
from .registry import command
from .routing.graph import Graph


class Van:
    __slots__ = ("name", "capacity", "_load")

    def __init__(self, name, capacity):
        self.name = name
        self.capacity = capacity

    def load(self, volume):
        if volume > self.capacity:
            raise CapacityExceeded(self.name, volume)
        self._load = volume

    @property
    def free(self):
        return self.capacity - self._load


class Shift:
    def __init__(self, start):
        self.start = start

    def __enter__(self):
        self.opened = datetime.datetime.strptime(self.start, "%H:%M")
        return self

    def __exit__(self, *details):
        if details[0] is None:
            self.end.isoformat()


@command("shortest")
def shortest(start, end):
    return Graph([("depot", "mill", 4), ("mill", "dock", 2)]).shortest(start, end)


@command("tour")
def tour(stops):
    return Graph([("depot", "mill", 4), ("mill", "dock", 2)]).length_of(stops)


@command("reach")
def reach():
    return list(Graph([("depot", "mill", 4), ("mill", "depot", 2)]).reach("depot"))


@command("prune")
def prune(maximum):
    return Graph([("depot", "mill", 40), ("depot", "dock", 2)]).prune(maximum)


@command("load_van")
def load_van(name, volume):
    Van(name, 90).load(volume)


@command("free_space")
def free_space(name):
    return Van(name, 90).free


@command("paint_van")
def paint_van(color):
    Van("red", 9).color = color


@command("shift")
def shift(start):
    with Shift(start) as opened:
        return opened.start


@command("distance")
def distance_of(here, there):
    return distance(Point(*here), Point(*there))


@command("etas")
def etas(stops):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(_eta, stops))


def _eta(stop):
    return datetime.timedelta(minutes=stop["minutes"]) + stop["start"]


@command("assign")
def assign(parcels, vans):
    return asyncio.run(_assign(parcels, vans))


async def _assign(parcels, vans):
    return await asyncio.gather(*(_assign_one(parcel, vans) for parcel in parcels))


async def _assign_one(parcel, vans):
    await asyncio.sleep(0)
    try:
        return vans[parcel["district"]]
    except KeyError as error:
        raise CourierProblem(f"no van serves district {parcel.get('district')}") from error


@command("wait_for_driver")
def wait_for_driver():
    async def wait():
        await asyncio.wait_for(asyncio.get_running_loop().create_future(), 0.001)

    return asyncio.run(wait())


@command("first_stop")
def first_stop(stops):
    return functools.reduce(lambda one, other: one if one["hour"] < other["hour"] else other, stops)
