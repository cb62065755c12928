"""A rollout at a moment: the grid of nodes, what kubectl prints, and why it stands still."""

from labs.report.fleet.actions import done_actions
from labs.report.fleet.chart import ChartedRun
from labs.report.fleet.html import (
    ActButton,
    RolloutWords,
    actions_html,
    acts_html,
    course_html,
    kubectl_html,
    listed_nodes,
    picture_html,
    refused_html,
    sentence_html,
)
from labs.report.fleet.kubectl import NONE, columns_command, kubectl_blocks, table
from labs.report.fleet.picture import FleetFrame
from labs.report.fleet.state import chosen_node
from labs.report.fleet.text import fleet_text
from labs.report.fleet.words import Moment

__all__ = [
    "NONE",
    "ActButton",
    "ChartedRun",
    "FleetFrame",
    "Moment",
    "RolloutWords",
    "actions_html",
    "acts_html",
    "chosen_node",
    "columns_command",
    "course_html",
    "done_actions",
    "fleet_text",
    "kubectl_blocks",
    "kubectl_html",
    "listed_nodes",
    "picture_html",
    "refused_html",
    "sentence_html",
    "table",
]
