/**
 * Diagrams in Mermaid's notation as rows of boxes and arrows. Mermaid itself draws in the browser alone and is larger than the
 * whole site; rows can also be read aloud, printed, and wrapped on a phone.
 */
export type Part = { box: string } | { arrow: string };
export type Row = { group: string } | { parts: Part[]; isInGroup?: boolean };

/** @returns undefined for what is not known here: its text is shown as it is. */
export function diagramRows(text: string): Row[] | undefined {
  const [kind = "", ...lines] = text.split("\n").filter((line) => line.trim() !== "");
  const rowOf = kinds.find(({ begins }) => begins.test(kind))?.reader(lines);
  if (!rowOf) return undefined;
  const rows: Row[] = [];
  for (const line of lines) {
    const row = rowOf(line.trim());
    if (!row) return undefined;
    if (row !== "nothing") rows.push(row);
  }
  return rows;
}

type Reader = (lines: string[]) => (line: string) => Row | "nothing" | undefined;

const withLines = (text: string) => text.replaceAll(/<br\s*\/?>/g, "\n").trim();

const nodes = /(\w+)(?:\[\((.+?)\)\]|\[(.+?)\]|\{(.+?)\})/g;
const node = /^(\w+)(?:\[\(.+?\)\]|\[.+?\]|\{.+?\})?/;
const arrow = /^\s*(?:-->\|"?(.+?)"?\||--\s+(.+?)\s+-->|-->)\s*/;

/** `a[One] -- label --> b[Two] --> c`, and groups. A node has its words where it is first named. */
const flowchart: Reader = (lines) => {
  const words = new Map<string, string>();
  for (const line of lines.filter((each) => !each.trim().startsWith("subgraph")))
    for (const [, id = "", ...options] of line.matchAll(nodes))
      if (!words.has(id)) words.set(id, withLines(options.find((option) => option) ?? id));
  let isInGroup = false;
  return (line) => {
    const group = /^subgraph \w+ \[(.+)\]$/.exec(line)?.[1];
    if (line === "end" || group) isInGroup = group !== undefined;
    if (line === "end") return "nothing";
    if (group) return { group };
    const parts: Part[] = [];
    for (let rest = line; ; ) {
      const found = node.exec(rest);
      if (!found) return undefined;
      parts.push({ box: words.get(found[1] ?? "") ?? found[1] ?? "" });
      rest = rest.slice(found[0].length);
      if (rest.trim() === "") return isInGroup ? { parts, isInGroup } : { parts };
      const between = arrow.exec(rest);
      if (!between) return undefined;
      parts.push({ arrow: withLines(between[1] ?? between[2] ?? "") });
      rest = rest.slice(between[0].length);
    }
  };
};

/** `A->>B: what is said`, and `A-->>B: what is answered`. */
const sequence: Reader = (lines) => {
  const words = new Map<string, string>();
  for (const line of lines) {
    const [, id, name] = /^\s*participant (\w+) as (.+)$/.exec(line) ?? [];
    if (id && name) words.set(id, name);
  }
  return (line) => {
    if (line.startsWith("participant ")) return "nothing";
    const [, from, to, said] = /^(\w+)--?>>(\w+): (.+)$/.exec(line) ?? [];
    if (!from || !to || !said) return undefined;
    return { parts: [{ box: words.get(from) ?? from }, { arrow: said }, { box: words.get(to) ?? to }] };
  };
};

/** `DATA_SOURCE ||--o{ CONTRACT : "is watched by"`. */
const entities: Reader = () => (line) => {
  const [, from, many, to, verb] = /^(\w+) [|o}]{2}--([|o{]{2}) (\w+) : "?([^"]+)"?$/.exec(line) ?? [];
  if (!from || !many || !to || !verb) return undefined;
  const arrowText = many.includes("{") ? `${verb} (any number)` : verb;
  return { parts: [{ box: wordsOf(from) }, { arrow: arrowText }, { box: wordsOf(to) }] };
};

const wordsOf = (name: string) =>
  name.charAt(0) + name.slice(1).toLowerCase().replaceAll("_", " ").replace("api", "API");

const kinds: { begins: RegExp; reader: Reader }[] = [
  { begins: /^flowchart /, reader: flowchart },
  { begins: /^sequenceDiagram/, reader: sequence },
  { begins: /^erDiagram/, reader: entities },
];
