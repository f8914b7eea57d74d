class ClinicError(Exception):
    code = "clinic"

    def __init__(self, detail, **context):
        super().__init__(detail)
        self.context = context


class PatientNotFound(ClinicError):
    def __init__(self, number):
        super().__init__("patient " + str(number) + " is unknown")


class DoseTooHigh(ClinicError):
    pass


class NotAllowed(ClinicError):
    def __str__(self):
        return "{0} may not {1}".format(self.context["who"], self.args[0])
