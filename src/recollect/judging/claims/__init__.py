"""A model checks numbered claims about a user against what an agent remembers of them."""
