from collections import namedtuple
from datetime import date

from . import guard
from .exceptions import PatientNotFound

Patient = namedtuple("Patient", "number name born insurer")


class Register:
    def __init__(self):
        self.by_number = {7: Patient(7, "Ada", date(1990, 1, 1), None)}
        self.rooms = {}

    def get(self, number):
        if number not in self.by_number:
            raise PatientNotFound(number)
        return self.by_number[number]

    def admit(self, data):
        patient = Patient(data["number"], data["name"], data["born"])
        self.by_number[patient.number] = patient
        return patient

    def insurer_code(self, number):
        return self.get(number).insurer.code.upper()

    def age(self, number, today):
        return today.year - self.get(number).birthday.year

    def room(self, number):
        return guard.get_or_fail(self.rooms, number)

    def summary(self, number):
        patient = self.get(number)
        return "%s (%d)" % (patient.name, patient.name)

    def contact(self, record):
        phone = record["phone"]
        mail = record["mail"]
        return phone, mail

    def rename(self, number, name):
        self.get(number).name = name
