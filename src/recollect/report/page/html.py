"""One HTML file: templates, style and script in it, and a policy that lets nothing else run or load."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from recollect.records.provenance import Ran
from recollect.report import numbers
from recollect.report.status import marker, why_unscored
from recollect.report.text import plain, shortened, template

LONGEST = 4_000
"""Characters of a value in the tables; the CSV files have all of it."""


def page(values: Mapping[str, Any], data: Any) -> bytes:
    """The page of a run: the templates show *values*, the script shows *data*."""
    script = template("page.js")
    return filled("page.html.j2", {**values, "script": script, "data": as_data(data)}, script)


def filled(name: str, values: Mapping[str, Any], script: str = "") -> bytes:
    """A page from the template *name*, with the style sheet and a policy that allows only that and *script*."""
    style = template("page.css")
    found = _environment(values.get("stood", {})).get_template(name)
    text = found.render(**values, style=style, policy=policy(style, script))
    return (text + "\n").encode("utf-8", "replace")


def policy(style: str, script: str) -> str:
    """The content policy: this style and this script, and nothing from anywhere."""
    style_digest, script_digest = (
        base64.b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style_digest}'; script-src 'sha256-{script_digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def as_data(value: Any) -> str:
    """JSON that an HTML parser cannot take for markup."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _environment(stood: Mapping[str, Ran]) -> Environment:
    environment = Environment(
        loader=PackageLoader("recollect.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=numbers.percent,
        interval=numbers.interval,
        whole=numbers.whole,
        seconds=numbers.seconds,
        money=numbers.money,
        written=numbers.written,
        p_value=numbers.p_value,
        json_line=_json_line,
        choice=_choice,
        coded=_coded,
        stood=marker(stood),
        unscored=lambda row: why_unscored(stood.get(row, Ran())),
    )
    return environment


def _finalized(value: Any) -> Any:
    """Every value of the templates passes through here before it is escaped."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return shortened(plain(value), LONGEST)
    return value


def _choice(value: Any) -> str:
    """A choice by its name and model; its other settings are listed with the conditions."""
    if not isinstance(value, Mapping) or "name" not in value:
        return _json_line(value)
    settings = value.get("settings")
    model = settings.get("model") if isinstance(settings, Mapping) else None
    return f"{value['name']}, {model}" if model else str(value["name"])


def _json_line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _coded(text: str) -> Markup:
    """Text between backticks becomes code; everything is escaped."""
    pieces = escape(shortened(plain(text), LONGEST)).split("`")
    if len(pieces) % 2 == 0:
        return Markup("`").join(pieces)
    marked = (Markup("<code>{}</code>").format(piece) if at % 2 else piece for at, piece in enumerate(pieces))
    return Markup("").join(marked)
