from .exceptions import ClinicError, DoseTooHigh

LIMITS = {"aspirin": 500}


class Dose:
    __slots__ = ("drug", "amount")

    def __init__(self, drug, amount):
        self.drug = drug
        self.amount = amount

    def __add__(self, other):
        if other.drug != self.drug:
            raise ClinicError("%s and %s cannot be mixed" % (self.drug, other.drug))
        return Dose(self.drug, self.amount + other.amount)

    def per_kilo(self, weight):
        return self.amount / weight

    def halves(self):
        return self.amount // 0.0

    def check(self):
        limit = LIMITS.get(self.drug)
        if self.amount > limit:
            raise DoseTooHigh(f"{self.amount} mg of {self.drug} exceed {limit} mg")
        return True

    def note(self, text):
        self.remark = text

    def parse(self, text):
        number, unit = text.split(" ")
        if unit == "mg":
            factor = 1
        elif unit == "g":
            factor = 1000
        return int(number) * factor
