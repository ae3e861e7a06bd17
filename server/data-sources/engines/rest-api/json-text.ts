/**
 * Reads JSON without creating values: numbers stay as written, keys keep their order even if they look like numbers,
 * and unused parts cost no memory. Expects text that `JSON.parse` has accepted.
 */

/** The position of a value in the text. */
export type Place = { start: number; end: number };

const space = /[ \t\n\r]*/y;
const bareValue = /[^ \t\n\r,\]}]*/y;

/** The value of the whole text. */
export function whole(text: string): Place {
  const start = pastSpace(text, 0);
  return { start, end: endOfValue(text, start) };
}

export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

export function kindAt(text: string, { start }: Place): JsonKind {
  const kinds: Record<string, JsonKind> = {
    "{": "object",
    "[": "array",
    '"': "string",
    t: "boolean",
    f: "boolean",
    n: "null",
  };
  return kinds[text[start] ?? ""] ?? "number";
}

/** The members of an object, in order; repeated names are repeated. */
export function* membersOf(text: string, { start }: Place): Generator<{ name: string; value: Place }> {
  for (let at = pastSpace(text, start + 1); text[at] !== "}"; ) {
    const nameEnd = endOfString(text, at);
    const name = stringAt(text, { start: at, end: nameEnd });
    const valueStart = pastSpace(text, pastSpace(text, nameEnd) + 1);
    const end = endOfValue(text, valueStart);
    yield { name, value: { start: valueStart, end } };
    at = pastSpace(text, end);
    if (text[at] === ",") at = pastSpace(text, at + 1);
  }
}

/** The elements of an array. */
export function* elementsOf(text: string, { start }: Place): Generator<Place> {
  for (let at = pastSpace(text, start + 1); text[at] !== "]"; ) {
    const end = endOfValue(text, at);
    yield { start: at, end };
    at = pastSpace(text, end);
    if (text[at] === ",") at = pastSpace(text, at + 1);
  }
}

/** A lone surrogate is not a character, and most later stages reject it. */
export function stringAt(text: string, { start, end }: Place): string {
  return String(JSON.parse(text.slice(start, end))).toWellFormed();
}

/** A value as JSON, as written but without white space between its parts. */
export function compactAt(text: string, { start, end }: Place): string {
  const marks = /["\s]/g;
  let compact = "";
  for (let at = start; at < end; ) {
    marks.lastIndex = at;
    const mark = marks.exec(text)?.index ?? end;
    if (mark >= end) return compact + text.slice(at, end);
    const isString = text[mark] === '"';
    const next = isString ? endOfString(text, mark) : pastSpace(text, mark);
    compact += text.slice(at, isString ? next : mark);
    at = next;
  }
  return compact;
}

function pastSpace(text: string, at: number): number {
  space.lastIndex = at;
  return at + (space.exec(text)?.[0].length ?? 0);
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== "{" && first !== "[") {
    bareValue.lastIndex = start;
    return start + (bareValue.exec(text)?.[0].length ?? 0);
  }
  const marks = /["[\]{}]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') {
      marks.lastIndex = endOfString(text, mark.index);
      continue;
    }
    depth += mark[0] === "{" || mark[0] === "[" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  const marks = /["\\]/g;
  marks.lastIndex = start + 1;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') return marks.lastIndex;
    marks.lastIndex++;
  }
  return text.length;
}
