"""Optional packages: if one is missing, the error names it and says how to install it."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from pytlik.game import Refusal
from pytlik.i18n import catalogue


class ExtraReason(StrEnum):
    """Why a part can't be used. The sentences are in the catalogues."""

    NOT_INSTALLED = "not_installed"


class Missing(Refusal, ImportError):
    """A package of an extra isn't installed. Also an ImportError, for programs that import the
    part."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            ExtraReason.NOT_INSTALLED, package=package, command=f"pip install 'pytlik[{extra}]'"
        )
        self.package, self.extra = package, extra

    def __reduce__(self) -> tuple[type["Missing"], tuple[str, str]]:
        return type(self), (self.package, self.extra)

    def __str__(self) -> str:
        # Most people see this in programs of their own, where nothing looks it up in a catalogue.
        return catalogue("en")(f"reason.{self.reason}", **self.detail)


@contextmanager
def explain_missing_extra(extra: str) -> Iterator[None]:
    """Wrap the import of an extra's packages, or of our modules that need them:

    with explain_missing_extra("plot"):
        from matplotlib.figure import Figure
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ("", "pytlik"):
            raise  # no extra contains it
        raise Missing(package, extra) from None
