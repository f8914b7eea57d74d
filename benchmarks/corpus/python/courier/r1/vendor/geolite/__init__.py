import math


class GeoError(Exception):
    pass


class Point:
    def __init__(self, latitude, longitude):
        if not -90 <= latitude <= 90:
            raise GeoError("latitude %s is out of range" % latitude)
        self.latitude = latitude
        self.longitude = longitude


def distance(one, other):
    return math.sqrt((one.latitude - other.latitude) ** 2 + (one.longitude - other.longitude) ** 2)
