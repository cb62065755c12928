"""The world of one run: SimPy processes that live the Pods' lives and write down what happens."""
