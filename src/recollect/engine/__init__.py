"""Plans trials and runs them: the only place that calls memories and models. It knows steps, never benchmarks."""
