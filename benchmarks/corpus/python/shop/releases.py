"""
The releases of the shop. `r1` is in its folder. A later one is the previous one with edits (`file, before, after`) and
moved files; `shift` adds lines at the top of each file of the app, so that all its lines move.
"""

RELEASES = {
    "r1": {"folder": "/srv/shop/current", "shift": 0, "moves": {}, "edits": []},
    "r2": {
        "folder": "/srv/shop/releases/20261103-1412",
        "shift": 7,
        "moves": {"shop/feeds.py": "shop/imports.py"},
        "edits": [
            ("shop/views.py", "def show_price(", "def price_tag("),
            ("shop/views.py", "checks, db, feeds, jobs", "checks, db, imports as feeds, jobs"),
            ("shop/catalog.py", 'return row["price"] + row["shipping"]', 'price = row["price"] + row["shipping"]\n    return price'),
            ("shop/catalog.py", "row[key].lower()", "row[key].casefold()"),
            ("shop/orders.py", "basket.put(product)", "basket.put(product)  # one of it"),
            ("shop/orders.py", 'raise ShopError("order %s is already on its way" % order["id"])', 'number = order["id"]\n        raise ShopError("order %s is already on its way" % number)'),
            ("shop/payments.py", "rest = amount - number * share", "rest = round(amount - number * share, 2)"),
            ("shop/jobs.py", 'lambda payload: payload["to"]', 'lambda payload: payload["to"].strip()'),
            ("shop/reports.py", "    return max(rows)", "    winner = max(rows)\n    return winner"),
            ("shop/notify.py", 'return message["to"].strip()', 'to = message["to"].strip()\n        return to'),
            ("shop/db.py", "return row[0]", "stock = row[0]\n    return stock"),
        ],
        "renamed_views": {"show_price": "price_tag"},
    },
    "r3": {
        "folder": "/opt/storefront",
        "shift": 3,
        "moves": {
            "shop/catalog.py": "shop/products/catalog.py",
            "shop/payments.py": "shop/billing/payments.py",
            "shop/reports.py": "shop/statistics_of_sales.py",
            "shop/checks.py": "shop/guards.py",
            "shop/db.py": "shop/storage/database.py",
            "shop/errors.py": "shop/problems.py",
        },
        "edits": [
            ("shop/views.py", "from . import catalog, checks, db, imports as feeds, jobs, models, notify, orders, payments, plugins, reports", "from . import guards as checks, imports as feeds, jobs, models, notify, orders, plugins\nfrom . import statistics_of_sales as reports\nfrom .billing import payments\nfrom .products import catalog\nfrom .storage import database as db"),
            ("shop/views.py", "from .errors", "from .problems"),
            ("shop/guards.py", "from .errors", "from .problems"),
            ("shop/products/catalog.py", "from .errors", "from ..problems"),
            ("shop/products/catalog.py", "from .models", "from ..models"),
            ("shop/orders.py", "from . import checks", "from . import guards as checks"),
            ("shop/orders.py", "from .errors", "from .problems"),
            ("shop/billing/payments.py", "from . import checks", "from .. import guards as checks"),
            ("shop/billing/payments.py", "from .errors", "from ..problems"),
            ("shop/imports.py", "from .errors", "from .problems"),
            ("shop/notify.py", "from .errors", "from .problems"),
            ("shop/jobs.py", "from . import catalog", "from .products import catalog"),
            ("shop/statistics_of_sales.py", "return sold / returned", "return sold / (returned * 1.0)"),
            ("shop/plugins.py", "return SimpleNamespace(**user).theme.colour", "theme = SimpleNamespace(**user).theme\n    return theme.colour"),
            ("shop/billing/payments.py", 'raise PaymentDeclined("card refused", amount)', 'raise PaymentDeclined("card refused", round(amount))'),
            ("shop/views.py", "def show_year(", "def year("),
            ("main.py", "def handle(action, params):", "def dispatch(action, params):"),
            ("main.py", "return view(params)", "return view(params)\n\n\nhandle = dispatch"),
        ],
        "renamed_views": {"show_price": "price_tag", "show_year": "year"},
    },
}
