"""Sphinx configuration for `make site`. The site loads nothing from elsewhere."""

import re
from importlib.metadata import version as installed
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent

project = "Pytlik"
author = "The Pytlik authors"
copyright = author  # noqa: A001 - Sphinx expects this name
version = release = installed("pytlik")

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["examples"]

# Links to headings work as they do where the code is hosted.
myst_heading_anchors = 4
# Docstrings put code between single backticks, as Markdown does.
default_role = "code"
autodoc_default_options = {"undoc-members": True}
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
# Types in signatures are shown as they are written; most of them have no page to link to.
nitpick_ignore_regex = [("py:.*", ".*")]
# The notebook is stored with its output, and the tests run it.
nb_execution_mode = "off"

html_theme = "furo"
html_title = "Pytlik"
html_static_path = ["_static"]
html_css_files = ["pytlik.css"]
html_logo = html_favicon = "_static/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1d5c45",
        "color-brand-content": "#1d5c45",
        "color-brand-visited": "#5b4a86",
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f5f0e6",
        "color-background-hover": "#e9e3d6",
        "color-background-border": "#d5cbb8",
        "color-foreground-primary": "#1d1a15",
        "color-foreground-secondary": "#5a5246",
        "color-foreground-muted": "#6b6153",
        "color-code-background": "#f5f0e6",
        "color-inline-code-background": "#f1eadc",
    },
    "dark_css_variables": {
        "color-brand-primary": "#86d6ae",
        "color-brand-content": "#86d6ae",
        "color-brand-visited": "#c3b2ec",
        "color-background-primary": "#14201b",
        "color-background-secondary": "#1c2a24",
        "color-background-hover": "#263830",
        "color-background-border": "#3a4c43",
        "color-foreground-primary": "#f3eee3",
        "color-foreground-secondary": "#bac5bc",
        "color-foreground-muted": "#9fb0a5",
        "color-code-background": "#1c2a24",
        "color-inline-code-background": "#263830",
    },
}


def unlink_files_outside_docs(app: Sphinx, page: str, source: list[str]) -> None:
    """Name files outside the site, such as benchmark results, instead of linking to them."""

    def name_file(link: re.Match[str]) -> str:
        target = (HERE / page).parent.joinpath(link[2]).resolve()
        if target.is_relative_to(HERE) or not target.exists():
            return link[0]
        return f"{link[1]} (`{target.relative_to(HERE.parent)}`)"

    source[0] = re.sub(r"\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)[^)]*\)", name_file, source[0])


def setup(app: Sphinx) -> None:
    app.connect("source-read", unlink_files_outside_docs)
