"""What the catalogue holds: `texts` of topics and kinds with their threads, and the `words` around them."""
