"""The catalog that comes with the package."""

from __future__ import annotations

import functools
import importlib.resources

from labs.hardware.catalog.catalog import Catalog


class _BuiltinCatalog(Catalog):
    """The package's catalog, read when something of it is first asked for: most checks of a config ask nothing of it."""

    __slots__ = ()

    def __init__(self) -> None:
        """Leaves all fields unset, so that the first use of one comes to `__getattr__`."""

    def __getattr__(self, name: str) -> object:
        if name not in Catalog.__slots__:
            raise AttributeError(name)
        from labs.hardware.catalog.reader import read_catalog  # needed with the first question only

        resource = importlib.resources.files("labs.hardware").joinpath("catalog.json")
        read = read_catalog(resource.read_text(encoding="utf-8"))
        for each in Catalog.__slots__:
            object.__setattr__(self, each, getattr(read, each))
        return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Catalog):
            return NotImplemented
        return all(getattr(self, each) == getattr(other, each) for each in Catalog.__slots__)

    __hash__ = Catalog.__hash__


@functools.cache
def builtin_catalog() -> Catalog:
    """The catalog that comes with the package."""
    return _BuiltinCatalog()
