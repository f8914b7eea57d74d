from . import depot, labels, parcels, planning, registry, settings, tariffs, tracking


def load():
    return [depot, labels, parcels, planning, settings, tariffs, tracking]


def execute(name, params):
    return registry.find(name)(**params)
