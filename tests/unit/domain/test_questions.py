"""Questions and keys."""

from __future__ import annotations

from recollect.domain.ids import QuestionId
from recollect.domain.questions import Key


def test_fields_of_a_key_stand_in_one_order_whoever_made_it() -> None:
    """Written and read, `10` stood before `2`: judges go through them one by one, and named others."""
    names = [str(number) for number in range(12, 0, -1)]
    key = Key(question_id=QuestionId("q"), field_gold=dict.fromkeys(names, ("x",)))
    assert list(key.field_gold) == [str(number) for number in range(1, 13)]
