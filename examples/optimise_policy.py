"""Optimise what an agent writes down: climb a hill of policies, and see on other users whether it was worth it.

Everything here is offline: rules play the user and the agent. Run it as it is:

    python examples/optimise_policy.py
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from recollect.environment import Environment, open_environment, play

AGENT, SETTINGS = "awe", {"ns": 0, "topk": 10}
"""The agent whose policy is written, and the rest of its settings."""
START = "names of friends and family"
"""A policy that somebody might write who has never met these users."""
TRAINING, HELD_OUT = (0, 1), (2, 3)
"""Users to climb with, and users to judge by."""


def score(env: Environment, policy: Sequence[str], users: Sequence[int]) -> float:
    """Share of right answers of a fresh agent that follows *policy*."""
    played = play(env, AGENT, settings={**SETTINGS, "policy": "\n".join(policy)}, users=users)
    return played.score or 0.0


def topics(env: Environment, users: Sequence[int]) -> list[str]:
    """What the users speak of, as whoever replies to them hears it: one topic a message."""
    found: dict[str, None] = {}
    for user in users:
        turn = env.reset(user)
        while not turn.over and not turn.due:
            words = (word.strip(".,;:?!'\"").lower() for word in turn.text.split())
            found[" ".join(word for word in words if len(word) > 4)] = None
            turn = env.step("I see.")
    return list(found)


def neighbours(policy: Sequence[str], known: Sequence[str], rng: random.Random) -> Iterator[list[str]]:
    """Policies that are one line away, in random order."""
    more = [[*policy, topic] for topic in known if topic not in policy]
    fewer = [[line for line in policy if line != gone] for gone in policy if len(policy) > 1]
    moves = [*more, *fewer]
    rng.shuffle(moves)
    yield from moves


def climb(env: Environment, *, tries: int, seed: int) -> tuple[list[str], list[float]]:
    """The best policy that so many tries find, and the score after each step up."""
    rng, known = random.Random(seed), topics(env, TRAINING)
    policy = [START]
    scores = [score(env, policy, TRAINING)]
    moves = neighbours(policy, known, rng)
    for _ in range(tries):
        tried = next(moves, None)
        if tried is None:
            break
        got = score(env, tried, TRAINING)
        if got > scores[-1]:
            policy, moves = tried, neighbours(tried, known, rng)
            scores.append(got)
            print(f"{got:.2f}  {' | '.join(policy)}")
    return policy, scores


def main() -> None:
    """Climb, then say what came of it."""
    env = open_environment("amemgym", size="small", seed=0)
    policy, scores = climb(env, tries=10, seed=0)
    print(f"training users: {scores[0]:.2f} before, {scores[-1]:.2f} after")
    before, after = (score(env, one, HELD_OUT) for one in ([START], policy))
    print(f"other users:    {before:.2f} before, {after:.2f} after")


if __name__ == "__main__":
    main()
