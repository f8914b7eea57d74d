import asyncio
import datetime

from slotlib import Calendar

from . import billing, doses, lab, patients, staff
from .exceptions import ClinicError


class Service:
    def __init__(self):
        self.register = patients.Register()
        self.staff = staff.Staff()
        self.calendar = Calendar()

    def run(self, action, **params):
        return getattr(self, "do_" + action)(**params)

    def do_patient(self, number):
        return self.register.get(number)

    def do_admit(self, data):
        return self.register.admit(data)

    def do_insurer(self):
        return self.register.insurer_code(7)

    def do_age(self):
        return self.register.age(7, datetime.date(2026, 1, 1))

    def do_room(self, number):
        return self.register.room(number)

    def do_shift(self, day):
        return self.staff.shift(day)

    def do_summary(self):
        return self.register.summary(7)

    def do_patient_contact(self, record):
        return self.register.contact(record)

    def do_staff_contact(self, record):
        return self.staff.contact(record)

    def do_rename(self, name):
        return self.register.rename(7, name)

    def do_member(self, name):
        return self.staff.get(name)

    def do_roles(self, name):
        return self.staff.roles(name)

    def do_role(self, name, role):
        return self.staff.require_role(name, role)

    def do_roster(self, days):
        return self.staff.roster(days)

    def do_oldest(self, people):
        return self.staff.oldest(people)

    def do_youngest(self, people):
        return self.staff.youngest(people)

    def do_mix(self, first, second):
        return doses.Dose(first, 1) + doses.Dose(second, 2)

    def do_per_kilo(self):
        return doses.Dose("aspirin", 5).per_kilo(0)

    def do_halves(self, amount):
        return doses.Dose("aspirin", amount).halves()

    def do_dose(self, drug, amount):
        return doses.Dose(drug, amount).check()

    def do_note(self, text):
        return doses.Dose("aspirin", 1).note(text)

    def do_parse(self, text):
        return doses.Dose("aspirin", 1).parse(text)

    def do_total(self, items):
        return billing.Invoice(items).total()

    def do_due(self, rate):
        return billing.Invoice([{"price": 1}]).due(rate)

    def do_export(self, items):
        return billing.Invoice(items).export()

    def do_load(self, text):
        return billing.Invoice.load(text)

    def do_pay(self, items, amount):
        return billing.Invoice(items).pay(amount)

    def do_first(self, items):
        return billing.Invoice(items).first()

    def do_share(self, text):
        return billing.Invoice([]).insurer_share(text)

    def do_currency(self, symbol):
        return billing.Invoice([]).currency(symbol)

    def do_analyzer(self):
        return lab.Centrifuge()

    def do_sample(self, kind):
        return lab.Store().add(kind)

    def do_count(self, kind):
        return lab.Store().count(kind)

    def do_find(self, number):
        return lab.Store().find(number)

    def do_keep(self, value):
        return lab.Store().keep(value)

    def do_code(self, text):
        return lab.read_code(text)

    def do_filter(self, text):
        return lab.compile_filter(text)

    def do_results(self, samples):
        return asyncio.run(lab.results(samples))

    def do_wait(self):
        return asyncio.run(lab.wait_for_result())

    def do_average(self, values):
        return lab.average(values)

    def do_level(self, value):
        return lab.level(value)

    def do_normalise(self):
        return lab.normalise((part for part in []) and [] or [0][:0] or Bag())

    def do_book(self, slot, who):
        self.calendar.book(slot, who)
        self.calendar.book(slot, who)

    def do_free(self, slot):
        self.calendar.free(slot)

    def do_close(self, hour):
        if not 8 <= hour < 18:
            raise ClinicError("closed", hour=hour)


class Bag:
    def __bool__(self):
        return False

    def __iter__(self):
        return iter([1])
