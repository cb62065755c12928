"""Values and configs that several files make together: what one of them wraps and another one holds."""

from __future__ import annotations

import dataclasses
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from labs.config.documents.kinds import configs
from labs.config.documents.recognise import LOADED_KINDS, Kind
from labs.config.documents.stream import Document
from labs.config.documents.unread import Reason, Unread
from labs.config.documents.wrapped import VALUES_KINDS, of_charts, values_from
from labs.config.goyaml import (
    Entry,
    Limits,
    Mapping,
    Node,
    Position,
    Scalar,
    ScalarKind,
    Span,
    find,
)
from labs.config.goyaml import Sequence as ListNode
from labs.config.wrappers import (
    Chart,
    GeneratedKey,
    Generator,
    Layer,
    Part,
    Reference,
    Release,
    Source,
    Template,
    along,
    chart_named,
    charts_within,
    elsewhere,
    over,
    releases,
    values_of,
    word,
)

MOST_RELEASES = 500
"""Releases with values from elsewhere; what comes behind is read by itself only."""
MOST_FILES_OF_A_NAME = 20
"""ConfigMaps or objects of one name that are looked through."""
_START = Span(Position(1, 1), Position(1, 1), 0, 0)
_VALUES = (Kind.DEVICE_PLUGIN_VALUES, Kind.GPU_OPERATOR_VALUES)
_SOURCES = ("OCIRepository", "HelmChart")


@dataclass(frozen=True, slots=True)
class DocumentsOf:
    """A file's documents, by its path."""

    path: str
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """A file's documents once the others are known, and what is named in it and not read."""

    documents: tuple[Document, ...]
    unread: tuple[Unread, ...]


def join(files: Sequence[DocumentsOf], limits: Limits) -> tuple[Joined, ...]:
    """The files' documents with what they make together. Raises `LimitError`."""
    return _Joiner(files, limits).joined()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A layer of values: in which file, and what holds it there.

    That is the release itself, a ConfigMap under `key`, or a file that is values as a whole (`whole`). `place` names it
    where values of other files are laid over it.
    """

    file: int
    layer: Layer
    holder: Document
    key: str = ""
    place: Span = _START
    whole: bool = False


@dataclass(slots=True)
class _Files:
    """What of the files is looked up by name."""

    maps: dict[str, list[tuple[int, Document]]] = field(default_factory=dict)
    generated: dict[str, list[tuple[int, Document, Generator]]] = field(default_factory=dict)
    releases: dict[tuple[Kind, str], list[tuple[int, Document, Release]]] = field(default_factory=dict)
    sources: dict[str, Chart] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)


class _Joiner:
    """Joins the documents of files, each of which is changed in the list of its own."""

    def __init__(self, files: Sequence[DocumentsOf], limits: Limits) -> None:
        self._limits = limits
        self._paths = [posixpath.normpath(file.path.replace("\\", "/")) for file in files]
        self._documents = [list(file.documents) for file in files]
        self._unread: list[list[Unread]] = [
            [note for document in file.documents for note in document.unread] for file in files
        ]
        self._wholes = [self._whole(file) for file in range(len(files))]
        self._placed: set[tuple[int, int, str]] = set()
        self._releases_left = MOST_RELEASES
        self._files = _Files()
        for path in range(len(files)):
            self._files.paths.setdefault(self._paths[path], path)
        self._look_through()

    def joined(self) -> tuple[Joined, ...]:
        wrappers = [
            (file, document)
            for file, documents in enumerate(self._documents)
            for document in tuple(documents)
            if document.wrapping is not None
        ]
        for file, document in wrappers:
            assert document.wrapping is not None
            for release in document.wrapping.releases:
                if release.referring:
                    self._release(file, document, release)
            content = document.wrapping.kustomization
            if content is not None:
                for patch in content.patches:
                    if patch.kind == Kind.HELM_RELEASE:
                        self._patch(file, document, patch.name, patch.root)
        self._umbrellas()
        self._generate()
        return tuple(
            Joined(tuple(documents), tuple(dict.fromkeys(notes)))
            for documents, notes in zip(self._documents, self._unread, strict=True)
        )

    def _look_through(self) -> None:
        known = self._files
        for file, documents in enumerate(self._documents):
            for document in documents:
                root = document.mapping
                if root is None or document.host is not None:
                    continue
                if document.kind is Kind.CONFIG_MAP:
                    name = _text(find(root, ("metadata", "name")))
                    known.maps.setdefault(name, []).append((file, document))
                elif document.kind in (Kind.UNKNOWN, Kind.CHART_RELEASE, Kind.HELM_CHART):
                    self._source(root)
                if document.wrapping is None:
                    continue
                for release in document.wrapping.releases:
                    key = document.wrapping.kind, release.name
                    known.releases.setdefault(key, []).append((file, document, release))
                content = document.wrapping.kustomization
                for generator in () if content is None else content.generators:
                    named = generator.name.text
                    known.generated.setdefault(named, []).append((file, document, generator))

    def _source(self, root: Mapping) -> None:
        """An object of Flux that says which chart another one's reference leads to."""
        kind, name = _text(root.get("kind")), _text(find(root, ("metadata", "name")))
        if kind not in _SOURCES or not name:
            return
        chart = chart_named(_text(find(root, ("spec", "url"))) or _text(find(root, ("spec", "chart"))))
        if chart is not None:
            self._files.sources.setdefault(name, chart)

    # Releases

    def _release(self, file: int, document: Document, release: Release) -> None:
        assert document.wrapping is not None
        kind = document.wrapping.kind
        chart, base = release.chart, None
        if chart is None and release.chart_reference and kind is not Kind.HELM_CHART_CONFIG:
            chart = self._files.sources.get(release.chart_reference)
        if chart is None and not release.named:
            base = self._base(kind, release.name)
            chart = base[2].chart if base is not None else None
            if kind is Kind.HELM_CHART_CONFIG and base is None:
                chart = chart_named(release.name)
        pieces = list(self._pieces(file, document, release.parts, chart is not None))
        if not pieces or (chart is release.chart and all(piece.holder is document for piece in pieces)):
            return  # nothing comes from elsewhere
        below = () if base is None else tuple(self._pieces(base[0], base[1], base[2].parts, False))
        if chart is None and not any(next(charts_within(piece.layer.root), None) for piece in pieces):
            return
        self._lay(file, document, release, chart, (*below, *pieces), len(below))

    def _base(self, kind: Kind, name: str) -> tuple[int, Document, Release] | None:
        """The release of this name that says its chart, which a patch or a HelmChartConfig adds values to."""
        wanted = Kind.HELM_CHART if kind is Kind.HELM_CHART_CONFIG else Kind.HELM_RELEASE
        named = self._files.releases.get((wanted, name), ())[:MOST_FILES_OF_A_NAME]
        return next((each for each in named if each[2].chart is not None), None)

    def _patch(self, file: int, document: Document, name: str, root: Mapping) -> None:
        """A patch of a HelmRelease that is written into a kustomization."""
        shaped = along(("kind",), root.span, word(str(Kind.HELM_RELEASE), root.span))
        hits = releases(over(shaped, root), self._limits)
        if not hits:
            return
        release = dataclasses.replace(hits[0], name=name or hits[0].name)
        base = self._base(Kind.HELM_RELEASE, release.name)
        chart = release.chart or (base[2].chart if base is not None else chart_named(release.name))
        if chart is None:
            return
        pieces = list(self._pieces(file, document, release.parts, True))
        below = () if base is None else tuple(self._pieces(base[0], base[1], base[2].parts, False))
        if pieces:
            self._lay(file, document, release, chart, (*below, *pieces), len(below))

    def _pieces(self, file: int, document: Document, parts: Sequence[Part], noting: bool) -> Iterator[_Piece]:
        for part in parts:
            if isinstance(part, Layer):
                yield _Piece(file, part, document)
            elif isinstance(part, Reference):
                piece = self._referred(file, document, part)
                if piece is not None:
                    yield piece
                elif noting and (part.source is not Source.FILE or self._is_ours(part.name)):
                    reason = Reason(str(part.source))
                    self._unread[file].append(Unread(reason, part.name, part.place.start))
            elif isinstance(part, Template) and noting:
                self._unread[file].append(Unread(Reason.TEMPLATE, "", part.place.start))

    def _is_ours(self, name: str) -> bool:
        """Whether a file of values lies in a repository of the reader's, and not in the chart itself."""
        return "/" in name or name.startswith("$")

    def _referred(self, file: int, document: Document, reference: Reference) -> _Piece | None:
        if reference.source is Source.FILE:
            return self._file_of_values(self._given_path(file, reference.name), file)
        if reference.source is not Source.CONFIG_MAP:
            return None
        namespace = _text(find(document.root, ("metadata", "namespace")))
        for other, holder in self._files.maps.get(reference.name, ())[:MOST_FILES_OF_A_NAME]:
            own = _text(find(holder.root, ("metadata", "namespace")))
            if namespace and own and namespace != own:
                continue
            value = find(holder.root, ("data", reference.key))
            place = find(holder.root, ("metadata", "name"))
            if place is None or not isinstance(value, Scalar):
                continue
            if reference.target:
                root = along(reference.target.split(".")[:20], value.place, value)
                return _Piece(other, Layer(root, None), holder, reference.key, place.place)
            layer = self._values(value)
            if layer is not None:
                return _Piece(other, layer, holder, reference.key, place.place)
        for other, _, generator in self._files.generated.get(reference.name, ())[:MOST_FILES_OF_A_NAME]:
            for key in generator.keys:
                if key.name.text == reference.key and key.path and not reference.target:
                    return self._file_of_values(self._given_path(other, key.path), file)
        return None

    def _values(self, value: Scalar) -> Layer | None:
        layer = values_of(value, self._limits)
        return layer if isinstance(layer, Layer) else None

    def _file_of_values(self, file: int | None, referring: int) -> _Piece | None:
        """A file that is values as a whole."""
        whole = None if file is None or file == referring else self._wholes[file]
        if (
            file is None
            or whole is None
            or whole.mapping is None
            or whole.kind in (Kind.CONFIG_MAP, Kind.LIST)
        ):
            return None
        return _Piece(file, Layer(whole.mapping, whole.mapping.span), whole, whole=True)

    def _whole(self, file: int) -> Document | None:
        """The document that a file begins with."""
        return next(
            (
                document
                for document in self._documents[file]
                if document.host is None and document.ordinal == 0 and document.container is None
            ),
            None,
        )

    def _given_path(self, file: int, path: str) -> int | None:
        """The given file that a path means: beside the file that says so, or from the root of the repository."""
        path = path.replace("\\", "/")
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(self._paths[file]), path))
        if beside in self._files.paths:
            return self._files.paths[beside]
        if not path.startswith("$"):
            return None
        ending = f"/{path.partition('/')[2]}"
        hits = [index for index, other in enumerate(self._paths) if f"/{other}".endswith(ending)]
        return hits[0] if len(hits) == 1 and len(ending) > 1 else None

    def _lay(
        self,
        file: int,
        document: Document,
        release: Release,
        chart: Chart | None,
        pieces: Sequence[_Piece],
        below: int,
    ) -> None:
        """Puts the values that the pieces make together into each file that has one of them, but for those `below`."""
        self._releases_left -= 1
        if self._releases_left < 0:
            return
        self._forget(file, lambda each: each.release is release)
        document = self._as_read(file, document)
        reference = next((part.place for part in release.parts if isinstance(part, Reference)), release.place)
        for owner in dict.fromkeys(piece.file for piece in pieces[below:]):
            own = [piece for piece in pieces[below:] if piece.file == owner]
            anchor = reference if owner == file else own[0].place
            root: Mapping | None = None
            for index, piece in enumerate(pieces):
                node = piece.layer.root
                if piece.file != owner or index < below:
                    moved = elsewhere(node, anchor)
                    assert isinstance(moved, Mapping)
                    node = moved
                root = node if root is None else over(root, node)
            assert root is not None
            whole = next((piece for piece in own if piece.whole), None) if owner != file else None
            if owner != file and not self._is_first(owner, own):
                continue
            holder = document if owner == file else (whole or own[0]).holder
            values = dataclasses.replace(
                holder,
                content="",
                line=_line(own, document),
                container=holder.container if whole is not None else holder,
                loadable=False,
                elsewhere=anchor if len(own) < len(pieces) else None,
                editable=_editable(own, alone=len(own) == len(pieces)),
                wrapping=None,
                release=release,
                unread=(),
                partial=len(pieces) - below < len(release.parts),
            )
            for piece in own:
                self._forget_key(owner, piece)
            added = list(self._values_documents(values, root, chart))
            if whole is None:
                self._insert(owner, holder, added)
            else:
                self._replace(owner, holder, added)

    def _is_first(self, owner: int, own: Sequence[_Piece]) -> bool:
        """Whether these values of another file are not told of in another release already."""
        keys = {(owner, id(piece.holder), piece.key) for piece in own}
        if keys & self._placed:
            return False
        self._placed |= keys
        return True

    def _values_documents(self, values: Document, root: Mapping, chart: Chart | None) -> Iterator[Document]:
        for each, node in of_charts(root, chart):
            document = dataclasses.replace(values, kind=VALUES_KINDS[each], root=node)
            yield document
            yield from configs(document, self._limits)

    def _as_read(self, file: int, document: Document) -> Document:
        """A wrapper whose chart another document says, by its own kind."""
        assert document.wrapping is not None
        if document.kind is not Kind.UNKNOWN:
            return document
        known = dataclasses.replace(
            document, kind=document.wrapping.kind, values_from=values_from(document.wrapping.releases)
        )
        current = next(
            (each for each in self._documents[file] if each.wrapping is document.wrapping), document
        )
        if current.kind is not Kind.UNKNOWN:
            return current
        self._replace(file, document, [known])
        return known

    def _forget_key(self, file: int, piece: _Piece) -> None:
        """What a ConfigMap holds under a key is values, whatever it looked like."""
        if piece.key:
            self._forget(file, lambda each: each.container is piece.holder and each.key == piece.key)

    # Lists of documents

    def _forget(self, file: int, gone: Callable[[Document], bool]) -> None:
        """Takes documents out, and with each what it holds."""
        dropped: set[int] = set()
        kept = []
        for document in self._documents[file]:
            if gone(document) or id(document.container) in dropped:
                dropped.add(id(document))
            else:
                kept.append(document)
        self._documents[file][:] = kept

    def _insert(self, file: int, holder: Document, added: Sequence[Document]) -> None:
        """Puts documents behind what a document holds already."""
        documents = self._documents[file]
        inside = {id(holder)}
        end = len(documents)
        for index, document in enumerate(documents):
            if id(document) in inside or id(document.container) in inside:
                inside.add(id(document))
                end = index + 1
        documents[end:end] = added

    def _replace(self, file: int, old: Document, added: Sequence[Document]) -> None:
        documents = self._documents[file]
        at = next((index for index, document in enumerate(documents) if document is old), None)
        self._forget(file, lambda each: each is old)
        at = len(documents) if at is None else min(at, len(documents))
        documents[at:at] = added

    # Charts that depend on others

    def _umbrellas(self) -> None:
        """Values beside a `Chart.yaml` whose dependencies are ours, under the name or the alias of one."""
        for file, documents in enumerate(self._documents):
            for document in tuple(documents):
                if document.kind is not Kind.UNKNOWN or document.host is not None:
                    continue
                dependencies = _dependencies(document)
                for key, chart in dependencies:
                    self._umbrella(posixpath.dirname(self._paths[file]), key, chart)
                if dependencies:
                    self._replace(file, document, [dataclasses.replace(document, kind=Kind.CHART)])

    def _umbrella(self, folder: str, key: str, chart: Chart) -> None:
        for file, path in enumerate(self._paths):
            name = posixpath.basename(path)
            if posixpath.dirname(path) != folder or "values" not in name:
                continue
            holder = self._whole(file)
            node = None if holder is None else find(holder.root, (key,))
            if holder is None or not isinstance(node, Mapping) or not node.entries:
                continue
            enabled = find(node, ("enabled",))
            known = any(
                document.container is holder and document.root is node for document in self._documents[file]
            )
            if known or (isinstance(enabled, Scalar) and enabled.value is False):
                continue
            outer = holder
            if holder.kind is not Kind.UMBRELLA_VALUES:
                outer = dataclasses.replace(holder, kind=Kind.UMBRELLA_VALUES, loadable=False)
                self._replace(file, holder, [outer])
            values = dataclasses.replace(
                outer,
                kind=VALUES_KINDS[chart],
                content="",
                root=node,
                line=node.entries[0].key.place.start.line,
                container=outer,
                loadable=False,
            )
            self._insert(file, outer, [values, *configs(values, self._limits)])

    # ConfigMaps that Kustomize makes

    def _generate(self) -> None:
        referred = self._referred_maps()
        for name, made in self._files.generated.items():
            for file, document, generator in made[:MOST_FILES_OF_A_NAME]:
                self._generated(file, document, generator, name in referred)

    def _referred_maps(self) -> set[str]:
        """The names of ConfigMaps that settings of the operator or of the plugin's chart refer to."""
        paths = (("config", "name"), ("devicePlugin", "config", "name"), ("migManager", "config", "name"))
        names: set[str] = set()
        for documents in self._documents:
            for document in documents:
                if document.kind in (*_VALUES, Kind.CLUSTER_POLICY):
                    root = document.root
                    if document.kind is Kind.CLUSTER_POLICY:
                        root = find(root, ("spec",))
                    names.update(_text(find(root, path)) for path in paths)
                names.update(name for name, _ in document.values_from)
        return names - {""}

    def _generated(self, file: int, document: Document, generator: Generator, referred: bool) -> None:
        sources: dict[str, tuple[int, Document]] = {}
        for key in generator.keys:
            other = self._given_path(file, key.path) if key.path else None
            whole = None if other is None else self._whole(other)
            known = other in {file for file, _ in sources.values()}
            if other is not None and whole is not None and whole.kind in LOADED_KINDS and not known:
                sources[key.name.text] = (other, whole)
        root = _map_of(generator, generator.keys)
        content = None if document.wrapping is None else document.wrapping.kustomization
        rewrites = content is not None and content.rewrites
        made = dataclasses.replace(
            document,
            kind=Kind.CONFIG_MAP,
            content="",
            root=root,
            line=generator.name.place.start.line,
            container=document,
            loadable=False,
            wrapping=None,
            editable=(),
            hashed=generator.hashed and not rewrites,
        )
        written = [key for key in generator.keys if key.literal is not None]
        literals = dataclasses.replace(made, root=_map_of(generator, written))
        literal = [dataclasses.replace(each, container=made) for each in configs(literals, self._limits)]
        if not (referred and generator.complete) and not sources and not literal:
            return
        self._insert(file, document, [made, *literal])
        for name, (other, whole) in sources.items():
            self._replace(other, whole, [dataclasses.replace(whole, key=name, container=made)])


def _map_of(generator: Generator, keys: Sequence[GeneratedKey]) -> Mapping:
    """The ConfigMap with these of its keys; what stands in files is not in it."""
    place = generator.name.place
    data = Mapping(
        span=place,
        entries=tuple(Entry(key.name, key.literal or word("", key.name.place)) for key in keys),
    )
    names = [Entry(word("name", place), generator.name)]
    if generator.namespace:
        names.append(Entry(word("namespace", place), word(generator.namespace, place)))
    return Mapping(
        span=place,
        entries=(
            Entry(word("kind", place), word("ConfigMap", place)),
            Entry(word("metadata", place), Mapping(span=place, entries=tuple(names))),
            Entry(word("data", place), data),
        ),
    )


def _dependencies(document: Document) -> list[tuple[str, Chart]]:
    """Which of our charts a `Chart.yaml` depends on, each with the key of its values."""
    root = document.mapping
    listed = None if root is None else root.get("dependencies")
    if root is None or not isinstance(listed, ListNode) or root.get("apiVersion") is None:
        return []
    keys = []
    for item in listed.items[:MOST_FILES_OF_A_NAME]:
        name = _text(find(item, ("name",)))
        chart = chart_named(name)
        if chart is not None:
            keys.append((_text(find(item, ("alias",))) or name, chart))
    return keys


def _line(own: Sequence[_Piece], wrapper: Document) -> int:
    """Where values begin: those of the release itself, before those that it takes from elsewhere."""
    inline = (piece for piece in own if piece.holder.wrapping is wrapper.wrapping)
    root = next(inline, own[0]).layer.root
    return (root.entries[0].key if root.entries else root).place.start.line


def _editable(own: Sequence[_Piece], *, alone: bool) -> tuple[Span, ...] | None:
    """Where values may be edited: everywhere where there is one layer of them, else in each that stands as it is read."""
    stretches = tuple(piece.layer.editable for piece in own if piece.layer.editable is not None)
    return None if alone and len(own) == len(stretches) == 1 else stretches


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) and node.kind is ScalarKind.STRING else ""
