/** HTML from templates: what is put in is escaped, unless it is HTML itself. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | null | undefined | Part[];

/** Marks text as HTML. Only for what was made here or by a library that escapes. */
export const asHtml = (text: string) => new Html(text);

export const html = (strings: TemplateStringsArray, ...parts: Part[]) =>
  new Html(strings.reduce((before, text, index) => before + shown(parts[index - 1]) + text));

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

function shown(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(shown).join("") : escaped(String(part));
}
