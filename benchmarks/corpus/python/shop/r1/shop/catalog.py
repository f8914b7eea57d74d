from .errors import UnknownProduct
from .models import Color, Money, Product

PRODUCTS = {
    "tea": Product("t-1", "green tea", Money(490, "EUR"), 12),
    "cup": Product("c-1", "blue cup", None, 3),
    "pot": Product("p-1", "tea pot", Money(2900, "USD"), 1),
}


def find(name):
    try:
        return PRODUCTS[name]
    except KeyError:
        raise UnknownProduct(f"no product called {name} in the catalog")


def price_of(row):
    return row["price"] + row["shipping"]


def paint(name, color):
    return find(name), Color(color)


def page(items, number, size):
    start = number * size
    return items[start : start + size] if start < len(items) else items[start]


def total(rows):
    return sum(row["amount"] for row in rows)


def cheapest(products):
    return min(product.price.cents for product in products)


def describe(product):
    return product.describtion


def sort_by(rows, key):
    return sorted(rows, key=lambda row: row[key].lower())


def average_rating(ratings):
    return sum(ratings) / len(ratings)
