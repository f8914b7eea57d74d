class CourierProblem(Exception):
    """A problem that the operator sees."""


class Undeliverable(CourierProblem):
    def __init__(self, parcel, reason):
        self.parcel = parcel
        self.reason = reason
        super().__init__(f"Parcel {parcel} cannot be delivered: {reason}")


class RouteBlocked(CourierProblem):
    def __str__(self):
        start, end = self.args
        return f"no way from {start} to {end}"


class InvalidBarcode(CourierProblem, ValueError):
    pass


class CapacityExceeded(CourierProblem):
    def __init__(self, van, load):
        super().__init__(van, load)
