"""Layouts of cards and of node pools, with texts to take along."""

from labs.report.plan.planner_html import PlanWords, button, plan_regions
from labs.report.plan.pool_texts import config_map_text, label_commands, mig_parted_texts, pods_text
from labs.report.plan.pool_words import (
    Slowdowns,
    against_lines,
    bar_text,
    free_lines,
    pool_heading,
    pool_lines,
    pools_table,
    shortage_lines,
    summary_lines,
    unprotected_lines,
)

__all__ = [
    "PlanWords",
    "Slowdowns",
    "against_lines",
    "bar_text",
    "button",
    "config_map_text",
    "free_lines",
    "label_commands",
    "mig_parted_texts",
    "plan_regions",
    "pods_text",
    "pool_heading",
    "pool_lines",
    "pools_table",
    "shortage_lines",
    "summary_lines",
    "unprotected_lines",
]
