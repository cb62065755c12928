"""Keys and names as people write them: misspelt, doubled, invisible."""

from labs.lint.keys.duplicates import Duplicate, duplicates, spellings
from labs.lint.keys.invisible import (
    escaped,
    first_invisible,
    invisible_edits,
    invisible_keys,
    narrow,
    visible,
)
from labs.lint.keys.offered_names import (
    MEDIA_EXTENSIONS,
    MIG_PREFIX,
    SUGGESTIONS,
    can_exist,
    nearest_name,
    offered_names,
)
from labs.lint.keys.plugin_keys import (
    HOMES,
    Guesser,
    WrittenKey,
    plain,
    written_keys,
)

__all__ = [
    "HOMES",
    "MEDIA_EXTENSIONS",
    "MIG_PREFIX",
    "SUGGESTIONS",
    "Duplicate",
    "Guesser",
    "WrittenKey",
    "can_exist",
    "duplicates",
    "escaped",
    "first_invisible",
    "invisible_edits",
    "invisible_keys",
    "narrow",
    "nearest_name",
    "offered_names",
    "plain",
    "spellings",
    "visible",
    "written_keys",
]
