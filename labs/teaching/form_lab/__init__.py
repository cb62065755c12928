"""Form labs: labs whose state is a handful of fields, not the text of a scenario.

To add one:

1. A module here, `<lab>.py`, with a function `<lab>(data: Data) -> FormLab`. It names the fields (`fields.py`: `Choice`,
   `Slider`, `Entry` for durations, rates, memory, shares, counts and names, `Switch`, `Lines`, `Group` for items that a
   reader adds and removes), the presets (values over the fields' defaults), the regions under the sentence, and functions of
   `(Values, Messages)`: `answer` (HTML: the sentence that answers, the regions, texts to take along, the command), `text`
   (the same for a terminal), `verdict` where an answer is bad news and, where prose refers to its figures, `metrics`. All
   are pure; what takes long is kept by the object that the function makes. Values that are wrong each for itself never get
   there; where they do not go together, raise `FaultsError(ValueFault(field, key, values))`: the words are
   `form.problem.<key>.what` and `.remedy`.
2. An entry in `labs.py`, where browser, Markdown and terminal find the lab.
3. Its words in `labs/messages/{en,ja,ko}/<lab>.toml`: `[form-lab.<id>]` with `title`, `try`, `section`; `field.<field>`,
   `preset.<preset>` and, where wanted, `option.<field>.<value>`, `output.<field>` (`{n}`), `hint.<field>`, `more`, `further`.
   A group is `group.<group>`, its fields `field.<group>.<field>`, its items `item.<group>` (`{n}`), its button `add.<group>`.
   A link to a page of the site is written `href="page:labs/check#anchor"`.
4. A fence where it belongs: ```` ```form ````, `form: <id>` and perhaps `preset: <preset>`; `{{<id>.metric}}` in prose.

Styles beyond `labs/web/css/forms.css` are seldom needed: regions may hold a `gl-picture` with a wide and a narrow `<svg>`,
tables of `labs.report.writing.table`, paragraphs. `labs/web/elements/gpu-form.js` knows no lab.
`tests/unit/teaching/test_form_labs.py` holds what is true of every form lab, and asks it of a new one too.
"""

from labs.teaching.form_lab.kind import FormLabs

__all__ = [
    "FormLabs",
]
