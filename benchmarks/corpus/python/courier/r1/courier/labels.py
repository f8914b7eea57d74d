import abc
import textwrap

from .registry import command


class Label(abc.ABC):
    @abc.abstractmethod
    def render(self):
        """Returns the text."""

    def lines(self):
        return textwrap.wrap(self.render(), self.columns)


class Plain(Label):
    columns = 20

    def __init__(self, parcel):
        self.parcel = parcel

    def render(self):
        return f"{self.parcel['name']} {self.parcel['weight']:.2f}"


class Customs(Plain):
    columns = 0

    def render(self):
        return super().render() + self.parcel["content"]


class Return(Label):
    pass


class Broken(Plain):
    def render(self):
        return self.parcel


@command("plain_label")
def plain_label(parcel):
    return Plain(parcel).render()


@command("customs_label")
def customs_label(parcel):
    return Customs(parcel).render()


@command("customs_lines")
def customs_lines(parcel):
    return Customs(parcel).lines()


@command("return_label")
def return_label():
    return Return()


@command("broken_lines")
def broken_lines(parcel):
    return Broken(parcel).lines()


@command("label_of")
def label_of(kind, parcel):
    return {"plain": Plain, "customs": Customs}.get(kind)(parcel)
