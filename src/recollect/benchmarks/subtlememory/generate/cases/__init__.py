"""What cases are made of: facts that belong together, and questions about them.

`specs` draws what each case will be about. About the user: `user` makes a case of it, `requests` its questions with
their answers. About the world: `world` makes a case of it, of `stories` or `dated` figures; these share `story`.
"""
