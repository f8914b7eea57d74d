from .exceptions import ClinicError


def ensure(condition, detail):
    if condition:
        return
    raise ClinicError(detail)


def get_or_fail(mapping, key):
    try:
        return mapping[key]
    except KeyError:
        raise ClinicError("not found") from None


def only(items):
    [item] = items
    return item
