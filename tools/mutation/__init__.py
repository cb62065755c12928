"""Mutation score: small faults are put into the code one at a time, and tests that reach the place must notice.

The pipeline: `sites` lists the faults of a module, `reach` finds which tests enter which function, `trial` runs these
tests on a mutant in a process of its own, `equivalents` knows the mutants that no test can tell from the code.
"""
