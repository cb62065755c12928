"""The notice to users: what a request for a GPU means from a change on."""

from labs.report.notice.json import notice_json, refused_json
from labs.report.notice.notices import ConfigNotice, notice_of, notices_text
from labs.report.notice.words import Circumstances, gist, line_fault, notice

__all__ = [
    "Circumstances",
    "ConfigNotice",
    "gist",
    "line_fault",
    "notice",
    "notice_json",
    "notice_of",
    "notices_text",
    "refused_json",
]
