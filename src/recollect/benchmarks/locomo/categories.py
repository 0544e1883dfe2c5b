"""The five kinds of question, by the numbers that the data give them."""

from __future__ import annotations

from typing import NamedTuple

ADVERSARIAL = 5


class Category(NamedTuple):
    """One kind of question."""

    name: str
    meaning: str
    published: int
    """Questions of this kind about all ten conversations."""


CATEGORIES = {
    1: Category("multi_hop", "the answer takes several sessions; it may be a list, parted by commas", 282),
    2: Category("temporal", "when something was, or in which order", 321),
    3: Category("open_domain", "what was said together with common knowledge", 96),
    4: Category("single_hop", "the answer stands in one session", 841),
    ADVERSARIAL: Category(
        "adversarial", "what was never said, mostly asked of the wrong person; right is to decline", 446
    ),
}
"""Number in the data -> kind. The paper lists the kinds in another order; the numbers are those of its scoring code."""

NUMBERS = {category.name: number for number, category in CATEGORIES.items()}
