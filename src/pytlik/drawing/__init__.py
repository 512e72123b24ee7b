"""Pictures of tiles, tables, cards and pieces, for notebooks and for print.

They look as on the page: both draw from the games' `looks.json`.
"""
