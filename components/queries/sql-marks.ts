import { Decoration, type DecorationSet, MatchDecorator, ViewPlugin } from "@codemirror/view";

const parameter = Decoration.mark({ class: "cm-parameter" });
const result = Decoration.mark({ class: "cm-result" });

const marker = new MatchDecorator({
  regexp: /\{\{\s*[A-Za-z_][A-Za-z0-9_]{0,99}\s*\}\}|@@result\d+\b/gi,
  decoration: ([text]) => (text.startsWith("@") ? result : parameter),
});

type Marks = {
  marks: DecorationSet;
  update: (update: Parameters<MatchDecorator["updateDeco"]>[0]) => void;
};

/** Highlights `{{parameters}}` and `@@result1`, which the service replaces before the database sees them. */
export const sqlMarks = ViewPlugin.define<Marks>(
  (view) => ({
    marks: marker.createDeco(view),
    update(update) {
      this.marks = marker.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);
