"""A scene as SVG: presentation attributes and classes only, so that it may stand in a page with a strict style policy."""

from __future__ import annotations

from labs.report.markup import attributes, escape, number
from labs.report.shapes import Anchor, Circle, Group, Line, Path, Pattern, Rect, Scene, Shape, Text

# Per pattern: size of the tile, its rotation, and the shapes in it (a background first).
_TILES: dict[Pattern, tuple[int, int, str]] = {
    Pattern.TIME_SLICING: (
        8,
        45,
        '<rect width="8" height="8" class="gl-ts-soft"/><rect width="1.4" height="8" class="gl-ts"/>',
    ),
    Pattern.REFUSED: (
        6,
        -45,
        '<rect width="6" height="6" class="gl-paper"/><rect width="2" height="6" class="gl-alarm"/>',
    ),
}


def svg(scene: Scene, id_prefix: str, css: str = "") -> str:
    """The scene as an `<svg>` element for a page; all ids in it start with `id_prefix`."""
    return _element(scene, id_prefix, attributes(class_=f"gl-svg {css}".strip()), "")


def svg_file(scene: Scene, style_sheet: str) -> str:
    """The scene as a file of its own, with the style sheet of the labs in it."""
    root = ' xmlns="http://www.w3.org/2000/svg" class="gl-svg"' + attributes(
        width=scene.width, height=scene.height
    )
    style = "<style>" + style_sheet.replace("<", "\\3c ") + "</style>"
    return _element(scene, "gl", root, style) + "\n"


def _element(scene: Scene, prefix: str, root: str, style: str) -> str:
    prefix = escape(prefix)
    title, description = f"{prefix}-title", f"{prefix}-desc"
    view_box = f"0 0 {number(scene.width)} {number(scene.height)}"
    head = f'<svg{root} viewBox="{view_box}" role="img" aria-labelledby="{title} {description}">'
    words = f'<title id="{title}">{escape(scene.title)}</title><desc id="{description}">{escape(scene.description)}</desc>'
    body = "\n".join(_shape(shape, prefix) for shape in scene.shapes)
    return f"{head}{style}\n{words}\n{_definitions(scene, prefix)}{body}\n</svg>"


def _definitions(scene: Scene, prefix: str) -> str:
    tiles = []
    for pattern in scene.patterns():
        size, turn, shapes = _TILES[pattern]
        turned = attributes(patternTransform=f"rotate({turn})") if turn else ""
        tiles.append(
            f'<pattern id="{prefix}-{pattern}" width="{size}" height="{size}" patternUnits="userSpaceOnUse"{turned}>'
            f"{shapes}</pattern>"
        )
    return f"<defs>{''.join(tiles)}</defs>\n" if tiles else ""


def _shape(shape: Shape, prefix: str) -> str:
    match shape:
        case Group():
            inner = "".join(_shape(child, prefix) for child in shape.shapes)
            return f"<g{attributes(class_=shape.css or None)}>{inner}</g>"
        case Rect():
            fill = f"url(#{prefix}-{shape.pattern})" if shape.pattern else None
            place = attributes(
                x=shape.x, y=shape.y, width=shape.width, height=shape.height, rx=shape.radius or None
            )
            return _labelled("rect", place + attributes(fill=fill, class_=shape.css), shape.label)
        case Line():
            place = attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
            return f"<line{place}{attributes(class_=shape.css, stroke_dasharray=shape.dash or None)}/>"
        case Path():
            return _labelled("path", attributes(d=shape.d, class_=shape.css), shape.label)
        case Circle():
            return f"<circle{attributes(cx=shape.x, cy=shape.y, r=shape.radius, class_=shape.css)}/>"
        case Text():
            return f"<text{_text_attributes(shape)}>{escape(shape.text)}</text>"


def _labelled(tag: str, given: str, label: str) -> str:
    return f"<{tag}{given}><title>{escape(label)}</title></{tag}>" if label else f"<{tag}{given}/>"


def _text_attributes(text: Text) -> str:
    return attributes(
        x=text.x,
        y=text.y,
        font_size=text.size,
        class_=text.css,
        text_anchor=None if text.anchor is Anchor.START else str(text.anchor),
        font_weight=600 if text.bold else None,
    )
