"""Chance: its numbers match known vectors, they are fair, and nobody's share is ignored."""

import hashlib
from collections import Counter
from itertools import permutations

import pytest

from pytlik.chance import WORD_LIMIT, Chance, Stream, commit, from_text, mix


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def expected_words(key: bytes, count: int) -> list[int]:
    """The numbers that follow from a key, computed from the description instead of the code."""
    numbers: list[int] = []
    for counter in range(count // 4 + 1):
        block = sha256(key, counter.to_bytes(8, "big"))
        numbers += [int.from_bytes(block[i : i + 8], "big") for i in (0, 8, 16, 24)]
    return numbers[:count]


class ScriptedStream(Stream):
    """A stream with given words."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"")
        self._words = list(reversed(words))


# -------------------------------------------------------------------------- known vectors


def test_a_commitment_is_a_salted_hash_in_hexadecimal() -> None:
    assert commit(b"secret") == sha256(b"pytlik commitment\0", b"secret").hex()
    assert commit(b"secret") == ("8d3dfca719f053abd1764b6b5875321c31ed4283a39cc2d103570797204382af")


def test_the_seed_is_a_hash_of_the_secret_and_all_shares_with_their_lengths() -> None:
    parts = [b"secret", b"ann", "žofie".encode()]
    seed = sha256(b"pytlik seed\0", *(len(part).to_bytes(8, "big") + part for part in parts))
    assert mix(b"secret", ["ann", "žofie"])._seed == seed
    assert mix(b"secret", iter(["ann", "žofie"]))._seed == seed


def test_a_seed_from_text() -> None:
    assert from_text("any text")._seed == sha256(b"pytlik text\0", b"any text")


def test_a_stream_is_the_hash_of_its_key_and_a_counter() -> None:
    stream = Chance(b"seed").stream("round 2: bag")
    key = sha256(b"seed", b"round 2: bag")
    assert [stream.below(WORD_LIMIT) for _ in range(11)] == expected_words(key, 11)


def test_numbers_that_must_never_change() -> None:
    """On other platforms and versions too: stored matches are verified with them forever."""
    stream = from_text("pytlik").stream("dice")
    assert [stream.below(6) + 1 for _ in range(12)] == [5, 1, 3, 6, 6, 4, 1, 6, 4, 6, 1, 6]
    assert "".join(from_text("pytlik").stream("letters").shuffled("abcdefgh")) == "gcebdfah"


def test_draw_depends_only_on_seed_and_label() -> None:
    chance = from_text("seed")
    first = chance.stream("a").below(WORD_LIMIT)
    chance.stream("b").below(WORD_LIMIT)
    assert chance.stream("a").below(WORD_LIMIT) == first
    others = [chance.stream("b"), chance.stream(""), from_text("seed2").stream("a")]
    assert first not in {stream.below(WORD_LIMIT) for stream in others}


# ------------------------------------------------------------------------------- fairness


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 10, 81])
def test_below_gives_each_number_equally_often(n: int) -> None:
    draws = 400 * n
    stream = from_text("fair").stream(str(n))
    counts = Counter(stream.below(n) for _ in range(draws))
    assert set(counts) == set(range(n))
    # Chi-square has mean n - 1 and variance 2 (n - 1): this is five standard deviations.
    chi_square = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert chi_square <= n - 1 + 5 * (2 * (n - 1)) ** 0.5


def test_below_draws_again_above_the_last_full_multiple() -> None:
    """2**64 is 6 * 3074457345618258602 + 4: the last four words would favour 0 to 3."""
    limit = 6 * 3074457345618258602
    assert WORD_LIMIT - limit == 4
    assert ScriptedStream(limit - 1).below(6) == 5
    for word in range(limit, WORD_LIMIT):
        assert ScriptedStream(word, 5).below(6) == 5
    assert ScriptedStream(WORD_LIMIT - 1, limit, limit + 1, 14).below(6) == 2


def test_below_uses_every_word_if_possible() -> None:
    assert ScriptedStream(WORD_LIMIT - 1).below(WORD_LIMIT) == WORD_LIMIT - 1
    assert ScriptedStream(WORD_LIMIT - 1).below(2) == 1
    assert ScriptedStream(WORD_LIMIT - 1).below(1) == 0


@pytest.mark.parametrize("n", [0, -1, WORD_LIMIT + 1])
def test_below_refuses_impossible_limits(n: int) -> None:
    with pytest.raises(ValueError, match="no number"):
        from_text("").stream("").below(n)


def test_shuffled_gives_each_order_equally_often() -> None:
    stream = from_text("orders").stream("")
    counts = Counter("".join(stream.shuffled("abc")) for _ in range(6000))
    assert set(counts) == set(map("".join, permutations("abc")))
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 5 + 5 * 10**0.5


def test_shuffled_can_move_every_item_to_every_place() -> None:
    stream = from_text("places").stream("")
    seen = {(i, item) for _ in range(400) for i, item in enumerate(stream.shuffled(range(10)))}
    assert len(seen) == 100


def test_shuffled_keeps_the_items_and_leaves_the_original() -> None:
    items = [3, 1, 2, 2]
    assert sorted(from_text("").stream("").shuffled(items)) == [1, 2, 2, 3]
    assert items == [3, 1, 2, 2]
    assert from_text("").stream("").shuffled([]) == ()
    assert from_text("").stream("").shuffled(iter("a")) == ("a",)


def test_choice_gives_each_item_equally_often() -> None:
    stream = from_text("choice").stream("")
    counts = Counter(stream.choice("abc") for _ in range(3000))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 2 + 5 * 4**0.5
    with pytest.raises(ValueError, match="no number"):
        stream.choice([])


# ------------------------------------------------------------------------- nobody is ignored


def test_a_commitment_depends_on_every_byte() -> None:
    secret = bytes(range(32))
    changed = [secret[:i] + bytes([secret[i] ^ 1]) + secret[i + 1 :] for i in range(32)]
    commitments = {commit(s) for s in (secret, secret[:-1], secret + b"\0", b"", *changed)}
    assert len(commitments) == 36


def test_the_seed_depends_on_every_byte_of_the_secret_and_of_every_share() -> None:
    secret, shares = b"\1\2\3\4", ["abc", "", "xyz"]
    seeds = [mix(secret, shares)._seed]
    seeds += [mix(secret[:i] + b"?" + secret[i + 1 :], shares)._seed for i in range(4)]
    for seat, share in enumerate(shares):
        for i in range(len(share)):
            other = [*shares[:seat], share[:i] + "?" + share[i + 1 :], *shares[seat + 1 :]]
            seeds.append(mix(secret, other)._seed)
    assert len(seeds) == len(set(seeds)) == 11


@pytest.mark.parametrize(
    ("secret", "shares"),
    [
        (b"secret", ["ab", "c"]),
        (b"secret", ["a", "bc"]),
        (b"secret", ["abc"]),
        (b"secret", ["abc", ""]),
        (b"secret", ["", "abc"]),
        (b"secret", ["c", "ab"]),
        (b"secreta", ["b", "c"]),
        (b"secre", ["tab", "c"]),
    ],
)
def test_the_seed_depends_on_the_boundaries_between_shares(
    secret: bytes, shares: list[str]
) -> None:
    others = [
        (b"secret", ["ab", "c"]), (b"secret", ["a", "bc"]), (b"secret", ["abc"]),
        (b"secret", ["abc", ""]), (b"secret", ["", "abc"]), (b"secret", ["c", "ab"]),
        (b"secreta", ["b", "c"]), (b"secre", ["tab", "c"]),
    ]  # fmt: skip
    same = [other for other in others if mix(*other)._seed == mix(secret, shares)._seed]
    assert same == [(secret, shares)]


def test_commitment_reveals_nothing_about_the_seed() -> None:
    assert commit(b"secret") != mix(b"secret", [])._seed.hex()
    assert mix(b"secret", [])._seed != from_text("secret")._seed


@pytest.mark.parametrize("before", range(6))
@pytest.mark.parametrize("numbers", range(11))
def test_skipping_numbers_equals_drawing_them(before: int, numbers: int) -> None:
    drawing, skipping = from_text("skip").stream("x"), from_text("skip").stream("x")
    for _ in range(before):
        assert drawing.below(9) == skipping.below(9)
    for _ in range(numbers):
        drawing.below(9)
    skipping.skip(numbers)
    assert [drawing.below(1000) for _ in range(9)] == [skipping.below(1000) for _ in range(9)]


@pytest.mark.parametrize("before", range(6))
@pytest.mark.parametrize("numbers", range(11))
def test_words_equal_full_range_numbers(before: int, numbers: int) -> None:
    one, other = from_text("words").stream("x"), from_text("words").stream("x")
    for _ in range(before):
        assert one.below(9) == other.below(9)
    assert one.words(numbers) == [other.below(1 << 64) for _ in range(numbers)]
    assert [one.below(1000) for _ in range(9)] == [other.below(1000) for _ in range(9)]
