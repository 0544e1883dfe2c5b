"""What a run's records say: a pure function of the run folder and the benchmark's score; never a model."""
