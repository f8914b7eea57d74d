class FormError(Exception):
    pass


class Field:
    def __init__(self, name):
        self.name = name

    def clean(self, data):
        if self.name not in data:
            raise FormError("%s: this field is required" % self.name)
        return self.convert(data[self.name])


class Integer(Field):
    def convert(self, value):
        try:
            return int(value)
        except ValueError as error:
            raise FormError("%s: %r is not a whole number" % (self.name, value)) from error


class Text(Field):
    def convert(self, value):
        return value.strip()


class Form:
    def __init__(self, *fields):
        self.fields = fields

    def clean(self, data):
        return {field.name: field.clean(data) for field in self.fields}
