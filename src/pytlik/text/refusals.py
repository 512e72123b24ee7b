"""Refusals in words."""

from collections.abc import Mapping
from typing import Any

from pytlik.i18n import Catalogue


def describe_refusal(reason: str, detail: Mapping[str, Any], translate: Catalogue) -> str:
    """The sentence for a code; the code itself if it's unknown, such as one from a newer server."""
    key = f"reason.{reason}"
    if key not in translate:
        return str(reason)
    return translate(key, **{**dict.fromkeys(translate.fields(key), "?"), **detail})
