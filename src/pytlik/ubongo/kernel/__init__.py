"""The solver, compiled, for puzzles that people solve.

A bot thinks with this while people wait, and the daily puzzle and `pytlik deck --check` use it too.
Every result is the one that solver.py gives: an effort is the same to the last bit, and so is the
first solution. Where nothing is compiled, or a puzzle is too large, solver.py does the work.

    puzzle.pyx      an area and the pieces that have to cover it, as 64-bit masks
    cover.pyx       its solutions: how many there are, and the first
    effort.pyx      how many pieces a person lays down before it is solved
    fallback.py     the same functions on a machine without a C compiler

`tools/kernel_compiler.py` compiles them: all of them, or none.
"""

try:
    from pytlik.ubongo.kernel.cover import count, counts, first
    from pytlik.ubongo.kernel.effort import effort, efforts

    COMPILED = True
except ModuleNotFoundError:
    from pytlik.ubongo.kernel.fallback import count, counts, effort, efforts, first

    COMPILED = False

__all__ = ["COMPILED", "count", "counts", "effort", "efforts", "first"]
