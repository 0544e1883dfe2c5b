"""A server on this machine that speaks OpenAI's protocol, in front of the models of a run."""
