"""What the site, its labs, the build and the simulator cost, measured and printed as tables.

`python3 dev.py bench` measures everything, `python3 dev.py bench pages day` two parts of it. Where two things are
compared, both are measured in the same run, in turns. Nothing here is asserted: a machine may be slow or busy.
Raw numbers go to `benchmarks/results/`, one file a part, with the machine and the command.
"""
