"""Refusals in words."""

from collections.abc import Mapping
from typing import Any

from pytlik.i18n import Catalogue


def describe_refusal(reason: str, detail: Mapping[str, Any], say: Catalogue) -> str:
    """The sentence for a code; the code itself where it is unknown, such as a newer server's."""
    key = f"reason.{reason}"
    if key not in say:
        return str(reason)
    return say(key, **{**dict.fromkeys(say.fields(key), "?"), **detail})
