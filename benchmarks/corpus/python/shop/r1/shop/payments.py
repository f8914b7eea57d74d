import decimal

from . import checks
from .errors import CouponError, PaymentDeclined, ShopError

COUPONS = {"SPRING": 10, "ZERO": 0}


class Gateway:
    retries = 2

    def charge(self, card, amount):
        if card["number"].startswith("4000"):
            raise PaymentDeclined("card refused", amount)
        if card["expires"] < 2026:
            raise PaymentDeclined("card expired", amount)
        return self.tokan(card)

    def token(self, card):
        return hash(card["number"])


def charge_with_retry(gateway, card, amount):
    error = None
    for _ in range(gateway.retries):
        try:
            return gateway.charge(card, amount)
        except PaymentDeclined as declined:
            error = declined
    raise ShopError("the payment failed") from error


def discount(code, total):
    percent = COUPONS[code]
    return total // percent


def apply_coupon(code, total):
    try:
        return discount(code, total)
    except KeyError as error:
        raise CouponError(f"coupon {code} does not exist") from error


def amount_of(text):
    return decimal.Decimal(text)


def account_of(customer):
    return checks.must_exist(customer.get("account"))


def fee(amount):
    if amount > 100:
        rate = 0.01
    return amount * rate


def installments(amount, months):
    def one(number):
        rest = amount - number * share
        return rest

    parts = [one(number) for number in range(months)]
    share = amount / months
    return parts, share


def iban(text):
    return int(text[4:]) % 97


def round_to(amount, digits):
    return round(amount, digits)
