"""Reads and writes the JSON documents in the store, without losing fields that it doesn't know.

A newer Pytlik, which may run beside this one for a while, may have written them. Unknown fields are
ignored, and kept when the document is written again. They may be anywhere in it; an item of a list
keeps them while it stays there.
"""

from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class DocumentCodec(Generic[T]):
    """Reads and writes documents of one type. Parts that clients send, too, forbid unknown fields:
    `strict` names them and their types, so that unknown fields are accepted here."""

    def __init__(
        self, kind: type[T], strict: dict[str, type[msgspec.Struct]] | None = None
    ) -> None:
        self._decode = msgspec.json.Decoder(kind).decode
        self._strict = {key: field_names(part) for key, part in (strict or {}).items()}

    def decode(self, doc: bytes) -> T:
        try:
            return self._decode(doc)
        except msgspec.ValidationError:
            data = msgspec.json.decode(doc)
            known = {
                key: keep_fields(data[key], self._strict[key])
                for key in self._strict
                if key in data
            }
            return self._decode(msgspec.json.encode(data | known))

    def encode(self, value: T, replaced: bytes | None) -> bytes:
        """Encode a document, keeping unknown fields of the one that it replaces, if any."""
        doc = msgspec.json.encode(value)
        if replaced is None:
            return doc
        known = msgspec.json.encode(self.decode(replaced))
        if known == replaced:  # as nearly always
            return doc
        return msgspec.json.encode(keep_unknown(*map(msgspec.json.decode, (replaced, known, doc))))


def field_names(kind: type[msgspec.Struct]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def keep_fields(data: Any, names: set[str]) -> Any:
    """Keep only the fields with these names, of an object or of all objects in nested lists."""
    if isinstance(data, list):
        return [keep_fields(each, names) for each in data]
    return {key: value for key, value in data.items() if key in names}


def keep_unknown(before: Any, known: Any, after: Any) -> Any:
    """The new document, with everything from the old one that wasn't known."""
    if isinstance(before, dict) and isinstance(known, dict) and isinstance(after, dict):
        kept = {key: value for key, value in before.items() if key not in known}
        changed = {
            key: keep_unknown(before[key], known[key], value) if key in known else value
            for key, value in after.items()
        }
        return kept | changed
    if isinstance(before, list) and isinstance(known, list) and isinstance(after, list):
        return keep_unknown_in_list(before, known, after)
    return before if known == after else after


def keep_unknown_in_list(before: list[Any], known: list[Any], after: list[Any]) -> list[Any]:
    left = list(range(len(before)))
    written = list(after)
    changed = []
    for index, value in enumerate(after):
        same = next((old for old in left if known[old] == value), None)
        if same is None:
            changed.append(index)
        else:
            left.remove(same)
            written[index] = before[same]
    if len(before) == len(after):
        for index in changed:
            if index in left:  # it's the same item, and only part of it is new
                written[index] = keep_unknown(before[index], known[index], after[index])
    return written
