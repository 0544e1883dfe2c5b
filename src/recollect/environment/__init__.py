"""An environment in the usual form: a simulated user talks, an agent replies, questions are asked, rewards come back.

`open_environment` makes one; `Environment.reset`, `step`, `ask` and `answer` go through it turn by turn; `play` lets a
registered agent go through it in one call. All happens as it does in a run with the same agent, seed and user.
"""

from recollect.environment.episodes import Environment, open_environment
from recollect.environment.playing import play
from recollect.environment.stories import Story
from recollect.environment.turns import Played, PlayedUser, Rewards, Turn

__all__ = ["Environment", "Played", "PlayedUser", "Rewards", "Story", "Turn", "open_environment", "play"]
