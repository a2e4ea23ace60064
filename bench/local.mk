# Benchmarks are built on request: make bench.
