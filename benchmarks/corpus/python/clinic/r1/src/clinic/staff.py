from . import guard
from .exceptions import NotAllowed


class Staff:
    def __init__(self):
        self.shifts = {}
        self.members = {"kim": {"roles": ["nurse"]}, "lee": {}}

    def get(self, name):
        return self.members[name]

    def roles(self, name):
        return self.members[name]["roles"]

    def require_role(self, name, role):
        if role not in self.members[name].get("roles", []):
            raise NotAllowed("act as " + role, who=name)

    def shift(self, day):
        return guard.get_or_fail(self.shifts, day)

    def contact(self, record):
        phone = record["phone"]
        mail = record["mail"]
        return phone, mail

    def roster(self, days):
        return {day: self.shifts[day] for day in days}

    def oldest(self, people):
        return sorted(people, key=lambda person: person["age"])[-1]

    def youngest(self, people):
        return sorted(people, key=lambda person: person["years"])[0]
