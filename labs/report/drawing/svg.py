"""A scene as SVG: presentation attributes and classes only, so that it may stand in a page with a strict style policy."""

from __future__ import annotations

from labs.report.drawing.shapes import Anchor, Group, Line, Path, Pattern, Rect, Scene, Shape, Text
from labs.report.writing import EMPTY, Html, attributes, escape, html, join, number, style_text

# Per pattern: size of the tile, its rotation, and the shapes in it (a background first).
_TILES: dict[Pattern, tuple[int, int, Html]] = {
    Pattern.TIME_SLICING: (
        8,
        45,
        html('<rect width="8" height="8" class="gl-ts-soft"/><rect width="1.4" height="8" class="gl-ts"/>'),
    ),
    Pattern.MPS: (
        7,
        0,
        html(
            '<rect width="7" height="7" class="gl-mps-soft"/><circle cx="2" cy="2" r="1.1" class="gl-mps"/>'
            '<circle cx="5.5" cy="5.5" r="1.1" class="gl-mps"/>'
        ),
    ),
    Pattern.MIG: (
        12,
        0,
        html(
            '<rect width="12" height="12" class="gl-mig-soft"/>'
            '<path d="M0 .5H12M0 6.5H12M3 0V6M9 6V12" class="gl-mig-joint"/>'
        ),
    ),
    Pattern.REFUSED: (
        6,
        -45,
        html('<rect width="6" height="6" class="gl-paper"/><rect width="2" height="6" class="gl-alarm"/>'),
    ),
}


def svg(scene: Scene, id_prefix: str, css: str = "") -> Html:
    """The scene as an `<svg>` element for a page; all ids in it start with `id_prefix`."""
    return _element(scene, id_prefix, attributes(class_=f"gl-svg {css}".strip()))


def svg_file(scene: Scene, style_sheet: str) -> Html:
    """The scene as a file of its own, with the style sheet of the labs in it."""
    root = attributes(
        xmlns="http://www.w3.org/2000/svg", class_="gl-svg gl-file", width=scene.width, height=scene.height
    )
    return html("{}\n", _element(scene, "gl", root, html("<style>{}</style>", style_text(style_sheet))))


def _element(scene: Scene, prefix: str, root: Html, style: Html = EMPTY) -> Html:
    title, description = escape(f"{prefix}-title"), escape(f"{prefix}-desc")
    view_box = html("0 0 {} {}", number(scene.width), number(scene.height))
    head = html(
        '<svg{} viewBox="{}" role="img" aria-labelledby="{}" aria-describedby="{}">',
        root,
        view_box,
        title,
        description,
    )
    words = html(
        '<title id="{}">{}</title><desc id="{}">{}</desc>',
        title,
        escape(scene.title),
        description,
        escape(scene.description),
    )
    body = join((_shape(shape, prefix) for shape in scene.shapes), "\n")
    return html("{}{}\n{}\n{}{}\n</svg>", head, style, words, _definitions(scene, prefix), body)


def _definitions(scene: Scene, prefix: str) -> Html:
    tiles = []
    for pattern in scene.patterns():
        size, turn, shapes = _TILES[pattern]
        turned = attributes(patternTransform=f"rotate({turn})") if turn else EMPTY
        tiles.append(
            html(
                '<pattern id="{}-{}" width="{}" height="{}" patternUnits="userSpaceOnUse"{}>{}</pattern>',
                escape(prefix),
                escape(pattern),
                size,
                size,
                turned,
                shapes,
            )
        )
    return html("<defs>{}</defs>\n", join(tiles)) if tiles else EMPTY


def _shape(shape: Shape, prefix: str, shared: Html = EMPTY) -> Html:
    """The element of a shape; `shared` are attributes that its group has already."""
    match shape:
        case Group():
            common = _common(shape.shapes, prefix)
            inner = join(_shape(child, prefix, common) for child in shape.shapes)
            own = attributes(class_=shape.css or None, data_node=shape.node or None)
            return html("<g{}{}>{}</g>", own, common, inner)
        case Rect():
            place = attributes(
                x=shape.x, y=shape.y, width=shape.width, height=shape.height, rx=shape.radius or None
            )
            look = html("{}{}", place, _own(_look(shape, prefix), shared))
            return (
                html("<rect{}><title>{}</title></rect>", look, escape(shape.label))
                if shape.label
                else html("<rect{}/>", look)
            )
        case Line():
            place = attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
            return html("<line{}{}/>", place, _own(_look(shape, prefix), shared))
        case Path():
            return html("<path{}{}/>", attributes(d=shape.d), _own(_look(shape, prefix), shared))
        case Text():
            place = attributes(x=shape.x, y=shape.y)
            return html("<text{}{}>{}</text>", place, _own(_look(shape, prefix), shared), escape(shape.text))


def _look(shape: Shape, prefix: str) -> Html:
    """The attributes of a shape that say how it looks, all of which a group can hand down."""
    match shape:
        case Rect():
            return attributes(
                fill=f"url(#{prefix}-{shape.pattern})" if shape.pattern else None, class_=shape.css
            )
        case Line():
            return attributes(class_=shape.css, stroke_dasharray=shape.dash or None)
        case Path():
            return attributes(class_=shape.css)
        case Text():
            return attributes(
                font_size=shape.size,
                class_=shape.css,
                text_anchor=None if shape.anchor is Anchor.START else str(shape.anchor),
                font_weight=600 if shape.bold else None,
            )
        case Group():
            return attributes(class_=shape.css or None)


def _common(shapes: tuple[Shape, ...], prefix: str) -> Html:
    """The look of all shapes of a group where they have the same."""
    looks = {_look(shape, prefix) for shape in shapes}
    return looks.pop() if len(looks) == 1 and len(shapes) > 1 else EMPTY


def _own(look: Html, shared: Html) -> Html:
    return EMPTY if look == shared else look
