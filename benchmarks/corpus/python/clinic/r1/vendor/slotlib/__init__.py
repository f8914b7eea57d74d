class SlotTaken(Exception):
    pass


class Calendar:
    def __init__(self):
        self._slots = {}

    def book(self, slot, who):
        if slot in self._slots:
            raise SlotTaken("slot %s is taken by %s" % (slot, self._slots[slot]))
        self._slots[slot] = who

    def free(self, slot):
        del self._slots[slot]
