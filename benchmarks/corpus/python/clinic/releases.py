"""The releases of the clinic. See `shop/releases.py` for the format."""

RELEASES = {
    "r1": {"folder": "/var/www/clinic", "shift": 0, "moves": {}, "edits": []},
    "r2": {
        "folder": "/var/www/clinic-20261110",
        "shift": 11,
        "moves": {"src/clinic/doses.py": "src/clinic/medication.py"},
        "edits": [
            ("src/clinic/service.py", "from . import billing, doses, lab", "from . import billing, lab, medication as doses"),
            ("src/clinic/service.py", "    def run(self, action, **params):\n        return", "    def dispatch(self, action, **params):\n        return"),
            ("src/clinic/service.py", "    def do_patient(", "    run = dispatch\n\n    def do_patient("),
            ("src/clinic/patients.py", "return today.year - self.get(number).birthday.year", "patient = self.get(number)\n        return today.year - patient.birthday.year"),
            ("src/clinic/patients.py", 'return "%s (%d)" % (patient.name, patient.name)', 'return "%s [%d]" % (patient.name, patient.name)'),
            ("src/clinic/billing.py", "return self.total() * rate", "total = self.total()\n        return total * rate"),
            ("src/clinic/lab.py", "return found.groups()", "return found.groups()[:2]"),
            ("src/clinic/medication.py", "return int(number) * factor", "return factor * int(number)"),
        ],
    },
    "r3": {
        "folder": "/app",
        "shift": 2,
        "moves": {
            "src/clinic/staff.py": "src/clinic/people/staff.py",
            "src/clinic/patients.py": "src/clinic/people/patients.py",
            "src/clinic/lab.py": "src/clinic/laboratory.py",
            "src/clinic/guard.py": "src/clinic/core/guard.py",
            "src/clinic/exceptions.py": "src/clinic/core/exceptions.py",
        },
        "edits": [
            ("src/clinic/service.py", "from . import billing, lab, medication as doses, patients, staff", "from . import billing, laboratory as lab, medication as doses\nfrom .people import patients, staff"),
            ("src/clinic/service.py", "from .exceptions", "from .core.exceptions"),
            ("src/clinic/people/staff.py", "from . import guard", "from ..core import guard"),
            ("src/clinic/people/staff.py", "from .exceptions", "from ..core.exceptions"),
            ("src/clinic/people/patients.py", "from . import guard", "from ..core import guard"),
            ("src/clinic/people/patients.py", "from .exceptions", "from ..core.exceptions"),
            ("src/clinic/billing.py", "from . import guard", "from .core import guard"),
            ("src/clinic/billing.py", "from .exceptions", "from .core.exceptions"),
            ("src/clinic/medication.py", "from .exceptions", "from .core.exceptions"),
            ("src/clinic/laboratory.py", "from .exceptions", "from .core.exceptions"),
            ("src/clinic/laboratory.py", 'return sample["result"]', 'return dict(sample)["result"]'),
            ("src/clinic/people/staff.py", 'raise NotAllowed("act as " + role, who=name)', 'raise NotAllowed("act as a " + role, who=name)'),
            ("src/clinic/service.py", "def do_total(self, items):\n        return", "def do_total(self, items):\n        # the sum of all items\n        return"),
        ],
    },
}
