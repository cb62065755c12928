"""The result of a run: the answering sentence, pictures, tables, in a page and in a terminal."""

from labs.report.result.document import html_document
from labs.report.result.html import hash_html, picture_html, result_regions
from labs.report.result.metric_words import metric_text
from labs.report.result.picture import Picture
from labs.report.result.text import result_text, unmet_words

__all__ = [
    "Picture",
    "hash_html",
    "html_document",
    "metric_text",
    "picture_html",
    "result_regions",
    "result_text",
    "unmet_words",
]
