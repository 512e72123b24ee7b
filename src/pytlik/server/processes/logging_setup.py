"""Logging: one JSON object per line on stderr, without tokens, names or anything that people
write."""

import logging
import logging.config
import time
from typing import Any

import msgspec

EXTRA_FIELDS = ("method", "route", "status", "ms", "match", "worker")
"""What a line may contain besides its message, passed as `extra`."""


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": format_time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: vars(record)[name] for name in EXTRA_FIELDS if name in vars(record)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class InvalidUtf8Filter(logging.Filter):
    """Drops an error that uvicorn logs with a traceback when a client sends invalid text: anyone
    could fill the log with it. The connection is closed with 1007, and that's all."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.msg != "Invalid UTF-8 sequence received from client."


def format_time(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03}Z"


def logging_config(level: str = "info") -> dict[str, Any]:
    """For `logging.config.dictConfig`, and for uvicorn's `log_config`. uvicorn's own access log
    would write whole paths, and with them invitations: switch it off."""
    own = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonLines}},
        "filters": {"not ours": {"()": InvalidUtf8Filter}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "stream": "ext://sys.stderr",
            }
        },
        # At a more detailed level it would log socket paths, which are invitations, and headers
        # with tokens.
        "loggers": {
            "pytlik": own,
            "uvicorn": own,
            "uvicorn.error": {"level": "WARNING", "filters": ["not ours"]},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }


def configure_logging(level: str = "info") -> None:
    logging.config.dictConfig(logging_config(level))
