import abc
import dataclasses
import enum
from typing import List, Optional


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass(frozen=True)
class Money:
    cents: int
    currency: str

    def plus(self, other):
        if self.currency != other.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return Money(self.cents + other.cents, self.currency)


@dataclasses.dataclass
class Product:
    sku: str
    name: str
    price: Optional[Money]
    stock: int = 0
    tags: List[str] = dataclasses.field(default_factory=list)

    @property
    def label(self):
        return self.name.title() + " (" + self.sku + ")"

    @property
    def gross(self):
        return self.price.cents * 1.19


class Carrier(abc.ABC):
    @abc.abstractmethod
    def ship(self, parcel):
        ...

    @abc.abstractmethod
    def track(self, number):
        ...


class PigeonCarrier(Carrier):
    def ship(self, parcel):
        return "coo"


class Basket:
    def __init__(self, owner):
        self.owner = owner
        self.lines = {}

    def put(self, product, count):
        self.lines[product.sku] = self.lines.get(product.sku, 0) + count

    def total(self, prices):
        return sum(prices[sku] * count for sku, count in self.lines.items())

    def weight(self, weights):
        return sum([weights[sku] * count for sku, count in self.lines.items()])
