"""Checking a judge: bad judges are caught, the id says what was checked, and the docs' tables are measured ones."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.contracts.reading import Judge
from recollect.domain.errors import RetryableError
from recollect.domain.exchange import Reply
from recollect.domain.outcomes import Verdict
from recollect.domain.questions import Key, Question
from recollect.judging.check import CheckResult, Given, Rate, check_file, known_check, result_of, run_check
from recollect.judging.model_judge import ModelJudge
from recollect.judging.probes import shipped
from recollect.offline.judge.rule_judge import RuleJudge
from recollect.records.codec import decode, encode

from tests.fakes.stub_judges import (
    ConstantJudge,
    LenientChat,
    ScriptedChat,
    StrictChat,
    SubstringJudge,
    judges,
    verdict_of,
)

PAGE = Path(__file__).parents[3] / "docs" / "judge.md"


class PerfectJudge:
    """Knows the right verdicts."""

    fingerprint = "perfect-1"

    def __init__(self) -> None:
        self.wanted = {(p.question.question_id, p.reply.text): p.wanted for p in shipped()}

    def judge(self, question: Question, key: Key, reply: Reply) -> Verdict:
        return verdict_of(float(self.wanted[question.question_id, reply.text] == "right"))


def kinds(result: CheckResult) -> Mapping[str, Rate]:
    return {rate.name: rate for rate in result.kinds}


def keep(result: CheckResult, folder: Path) -> Path:
    file = check_file(folder, result.judge)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(encode(result)))
    return file


@pytest.fixture(scope="module")
def substring() -> CheckResult:
    return run_check(SubstringJudge(), workers=1)


def test_a_judge_that_is_always_right_has_the_best_rates() -> None:
    result = run_check(PerfectJudge())
    assert result.true_accept.share.estimate == 1.0
    assert result.false_accept.share.estimate == 0.0
    assert all(rate.share.estimate == float(rate.wanted) for rate in result.kinds)


def test_a_judge_by_substring_is_caught(substring: CheckResult) -> None:
    found = kinds(substring)
    assert found["dumped"].accepted > found["dumped"].n / 2
    assert found["hedged"].accepted > found["hedged"].n / 2
    assert found["paraphrased"].accepted < found["paraphrased"].n / 2
    low = substring.false_accept.share.low
    assert low is not None
    assert low > 0.2


def test_a_judge_that_accepts_all_or_never_decides_is_caught() -> None:
    everything, nothing = run_check(ConstantJudge(1.0)), run_check(ConstantJudge(None))
    assert everything.false_accept.accepted == everything.false_accept.n
    assert nothing.true_accept.undecided == nothing.true_accept.n
    assert nothing.true_accept.share.estimate == 0.0


def test_a_lenient_model_accepts_vague_answers_and_a_strict_one_refuses_paraphrases() -> None:
    lenient, strict = kinds(run_check(ModelJudge(LenientChat()))), kinds(run_check(ModelJudge(StrictChat())))
    assert lenient["vague-wrong"].accepted > strict["vague-wrong"].accepted
    assert lenient["abstain-wrong"].accepted > strict["abstain-wrong"].accepted
    assert strict["paraphrased"].accepted < strict["right"].accepted / 2


def test_a_model_that_says_nothing_usable_is_undecided_and_never_wrong() -> None:
    result = run_check(ModelJudge(ScriptedChat("I think that this is right."), retries=0))
    asked = [given for given in result.verdicts if not given.why.startswith("exact")]
    assert {given.value for given in asked} == {None}
    assert len(asked) > 0.9 * len(result.verdicts)


def test_counts_of_a_rate_sum_to_its_replies() -> None:
    for judge in (*judges(), RuleJudge()):
        result = run_check(judge)
        for rate in (*result.kinds, result.true_accept, result.false_accept):
            assert rate.accepted + rate.rejected + rate.undecided == rate.n == rate.share.n
        assert result.true_accept.n + result.false_accept.n == sum(rate.n for rate in result.kinds) == len(shipped())


def test_a_graded_verdict_below_1_does_not_accept() -> None:
    assert run_check(ConstantJudge(0.9)).true_accept.accepted == 0


def test_the_intervals_are_wilsons() -> None:
    verdicts = [Given(probe=probe.probe_id, value=float(i % 2), why="") for i, probe in enumerate(shipped()[:10])]
    result = result_of("x", shipped()[:10], verdicts)
    share = next(rate.share for rate in (result.true_accept, result.false_accept) if rate.n)
    assert share.method == "Wilson"
    assert share.level == 0.95


def test_the_id_says_judge_probes_and_verdicts(substring: CheckResult) -> None:
    again = run_check(SubstringJudge(), workers=4)
    assert again == substring
    assert substring.check.startswith("jc")
    verdicts = list(substring.verdicts)
    turned = [replace(verdicts[0], value=None), *verdicts[1:]]
    reworded = [replace(verdicts[0], why="other"), *verdicts[1:]]
    fewer = shipped()[1:]
    others = {
        result_of("other judge", shipped(), verdicts).check,
        result_of(substring.judge, shipped(), turned).check,
        result_of(substring.judge, fewer, verdicts[1:]).check,
    }
    assert len({substring.check, *others}) == 4
    assert result_of(substring.judge, shipped(), reworded).check == substring.check


def test_a_kept_check_is_found_by_the_judges_fingerprint(substring: CheckResult, tmp_path: Path) -> None:
    assert known_check(tmp_path, substring.judge) is None
    file = keep(substring, tmp_path)
    assert known_check(tmp_path, substring.judge) == substring.check
    assert known_check(tmp_path, "another judge") is None
    assert decode(CheckResult, json.loads(file.read_text()), where="") == substring


@pytest.mark.parametrize("damage", ["torn", "not json", "other schema", "edited id", "edited verdict", "other probes"])
def test_a_damaged_edited_or_outdated_check_is_no_check(substring: CheckResult, tmp_path: Path, damage: str) -> None:
    file = keep(substring, tmp_path)
    data = json.loads(file.read_text())
    changes = {
        "torn": file.read_text()[:500],
        "not json": "\x00",
        "other schema": json.dumps({"check": substring.check}),
        "edited id": json.dumps({**data, "check": "jc0000000000000000"}),
        "edited verdict": json.dumps(
            {**data, "verdicts": [{**data["verdicts"][0], "value": 0.5}, *data["verdicts"][1:]]}
        ),
        "other probes": json.dumps({**data, "probes": "r1:0"}),
    }
    file.write_text(changes[damage])
    assert known_check(tmp_path, substring.judge) is None


def test_a_sound_check_of_other_probes_or_of_another_judge_is_no_check(substring: CheckResult, tmp_path: Path) -> None:
    keep(result_of(substring.judge, shipped()[1:], substring.verdicts[1:]), tmp_path)
    assert known_check(tmp_path, substring.judge) is None
    other = result_of("another judge", shipped(), substring.verdicts)
    check_file(tmp_path, substring.judge).write_text(json.dumps(encode(other)))
    assert known_check(tmp_path, substring.judge) is None


def test_a_failing_model_ends_the_check() -> None:
    judge: Judge = ModelJudge(ScriptedChat(RetryableError("time-out", cause="timeout")))
    before = threading.active_count()
    with pytest.raises(RetryableError):
        run_check(judge)
    assert threading.active_count() == before


def test_progress_is_told() -> None:
    told: list[int] = []
    run_check(ConstantJudge(1.0), watch=told.append)
    assert told == list(range(1, len(shipped()) + 1))


def table_of(title: str) -> dict[str, tuple[int, int, int, int]]:
    """Name -> n, accepted, refused, undecided of the table below a heading of the docs."""
    part = PAGE.read_text(encoding="utf-8").split(f"### {title}\n")[1].split("\n#")[0]
    lines = re.findall(r"^\| ([a-z -]+?) \| \w+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", part, re.M)
    return {name: (int(n), int(yes), int(no), int(open_)) for name, n, yes, no, open_ in lines}


def embedding_judge() -> Judge:
    from recollect.domain.errors import MissingExtraError
    from recollect.offline.embedder.model import Embedder

    try:
        return RuleJudge(Embedder())
    except MissingExtraError:
        pytest.skip("the weights of the embedder are not installed")


@pytest.mark.parametrize(
    "title",
    [
        "Rules, with the embedder",
        "Rules, without the embedder",
        "Lenient stub model",
        "Strict stub model",
        "By substring",
    ],
)
def test_the_tables_of_the_docs_are_what_is_measured(title: str) -> None:
    makers = {
        "Rules, with the embedder": embedding_judge,
        "Rules, without the embedder": RuleJudge,
        "Lenient stub model": lambda: ModelJudge(LenientChat()),
        "Strict stub model": lambda: ModelJudge(StrictChat()),
        "By substring": SubstringJudge,
    }
    result = run_check(makers[title]())
    measured = {
        rate.name: (rate.n, rate.accepted, rate.rejected, rate.undecided)
        for rate in (*result.kinds, result.true_accept, result.false_accept)
    }
    assert table_of(title) == measured


def test_the_check_that_comes_with_the_rule_judge_is_the_one_it_gets(tmp_path: Path) -> None:
    """Its id is that of a check made now: neither the rules nor the probes changed since."""
    judge = RuleJudge()
    assert known_check(tmp_path, judge.fingerprint) == run_check(judge).check
    assert known_check(tmp_path, "another-judge") is None
