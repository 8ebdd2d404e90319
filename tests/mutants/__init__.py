"""What the tests are worth: one small change of the package at a time, and which test notices.

`python -m tests.mutants` is no part of the tests; it takes an hour for 200 changes. It works in a
copy of the project with an environment of its own, so that commands which tests start see the
changed package too, and the working tree is never touched.

1. The copy's tests run once, and it is recorded which test executes which lines of the package,
   in its own process and in those that it starts.
2. Changes are chosen, as many of each module and of each kind as there can be: an operator, a
   number, a string, a returned value, a condition, a `continue` or `break`. The same `--seed`
   chooses the same.
3. Each is judged with `-x`, first by the test files of the module's own name, then by other tests
   that execute the changed line: all that are quick, then 300 at most, of each function one in
   turn. A test that does not fail again by itself, or fails without the change, counts for nothing.

A change that no test can notice, or that is of no consequence, has its reason in `reasons.txt`;
it does not count. The last line is the share of the others that were noticed.

    python -m tests.mutants --work /dev/shm/mutants --count 200 nestwork_hooks/protocol

The recording and all results stay in the folder `--work`; the same command goes on from there, so
a run may be ended at any time, or with `--minutes`. Without `--work` nothing stays. A folder in
memory (below /dev/shm) is the quickest: tests make thousands of repositories. `--line` judges the
chosen changes of some lines again, as after a new test in a file of the module's name; for one in
another file, delete `map.json`, the recording.
"""
