"""What an adapter needs and not everybody has installed."""


def missing(package: str, extra: str) -> str:
    """What to say where a package is missing."""
    return f"{package} is not installed: pip install 'pytlik[{extra}]'"
