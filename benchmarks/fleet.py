"""Scenarios of many nodes, as the YAML that a reader would write."""

from __future__ import annotations

CONFIG = """\
      version: v1
      sharing:
        timeSlicing:
          resources:
            - name: nvidia.com/gpu
              replicas: {replicas}
"""
NODE = """\
  - name: gpu-node-{number}
    gpus: {{model: a100-80gb, count: {cards}}}
    config: |
{config}"""
WORKLOAD = """\
  - name: {name}
    count: {count}
    arrival: {arrival}
    request: {{nvidia.com/gpu: 1}}
    memory: 10GiB
    job: {job}
"""
DAY_S = 86_400


def scenario(*, nodes: int, cards: int, replicas: int, horizon: str, workloads: str) -> str:
    """A scenario of equal nodes."""
    config = CONFIG.format(replicas=replicas)
    listed = "".join(NODE.format(number=number, cards=cards, config=config) for number in range(nodes))
    return f"format: 1\nseed: 1\nhorizon: {horizon}\nnodes:\n{listed}workloads:\n{workloads}"


def full_house(nodes: int, *, cards: int = 8, pods: int = 5, horizon: str = "1h") -> str:
    """`pods` synchronous training Pods on every card, there from the start and busy to the end."""
    job = "{kind: training, soloTime: 120ms, residency: 0.9, demand: 0.6, overlap: 0, iterations: 1000000000}"
    training = WORKLOAD.format(name="training", count=nodes * cards * pods, arrival="0s", job=job)
    return scenario(nodes=nodes, cards=cards, replicas=pods, horizon=horizon, workloads=training)


def day(nodes: int, *, pods_per_node: int = 100, cards: int = 8, days: int = 1) -> str:
    """A day, or some, of mixed work, `pods_per_node` Pods for every node.

    Nine in ten train and end, the others serve and stay.
    """
    pods = nodes * pods_per_node
    long_ones, services = pods * 3 // 10, pods // 10
    short_ones = pods - long_ones - services
    kinds = (
        (
            "short",
            short_ones,
            "{kind: training, soloTime: 120ms, residency: 0.9, demand: 0.6, overlap: 0.5, iterations: 10000}",
        ),
        (
            "long",
            long_ones,
            "{kind: training, soloTime: 200ms, residency: 0.8, demand: 0.5, overlap: 0, iterations: 100000}",
        ),
        ("service", services, "{kind: service, soloTime: 88ms, residency: 0.6, demand: 0.3, rate: 1/s}"),
    )
    listed = "".join(
        WORKLOAD.format(name=name, count=count, arrival=f"{{every: {_every(count, days)}}}", job=job)
        for name, count, job in kinds
    )
    return scenario(nodes=nodes, cards=cards, replicas=4, horizon=f"{24 * days}h", workloads=listed)


def _every(count: int, days: int) -> str:
    return f"{days * DAY_S * 1000 // count}ms"
