"""One module a family: how its context is cut, how its questions are asked and scored, which sources it has."""
