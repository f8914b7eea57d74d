class ShopError(Exception):
    pass


class OutOfStock(ShopError):
    def __init__(self, name, left):
        super().__init__(f"only {left} of {name} left in the warehouse")
        self.name = name


class UnknownProduct(ShopError, LookupError):
    pass


class PaymentDeclined(ShopError):
    def __init__(self, reason, amount):
        self.reason = reason
        self.amount = amount

    def __str__(self):
        return f"{self.reason} while charging {self.amount}"


class CouponError(ShopError):
    pass


class ImportFailed(ShopError):
    pass


class CheckFailed(ShopError):
    pass
