"""Coverage-guided fuzzing of the pure core; pytest does not run it.

Each harness takes the arguments of libFuzzer. It stops at the first input that breaks a law
of tests/laws.py and leaves it in a file crash-*; with that file as its argument it runs it
again. A folder given first keeps the inputs that reached something new:

    pip install atheris
    mkdir corpus
    python -m tests.fuzz.front_matter corpus -dict=tests/fuzz/nest.dict -max_total_time=1800
    python -m tests.fuzz.markers corpus -dict=tests/fuzz/nest.dict -max_total_time=1800
    python -m tests.fuzz.splice corpus -dict=tests/fuzz/nest.dict -max_total_time=1800
"""
