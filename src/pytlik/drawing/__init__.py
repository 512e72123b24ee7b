"""Pictures of tiles, tables, cards and pieces, for notebooks and for print.

They look the same as on the page: both are drawn from the games' `looks.json`.
"""
