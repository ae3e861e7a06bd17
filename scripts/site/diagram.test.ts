import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diagramRows, type Row } from "./diagram.ts";

/** Diagrams as rows of boxes and arrows. */
const shown = (row: Row) =>
  "group" in row
    ? `(${row.group})`
    : (row.isInGroup ? "  " : "") +
      row.parts.map((part) => ("box" in part ? `[${part.box}]` : `-${part.arrow}->`)).join(" ");
const rows = (text: string) => diagramRows(text)?.map(shown);

test("a flowchart's chains, with the words of a node wherever it comes again", () => {
  expect(
    rows(
      'flowchart LR\n  a[One<br>more] -- REST --> b[(Two)] --> c{A person}\n  c -->|"yes, (once)"| a\n  subgraph out [not trusted]\n    d[Rows, names]\n  end\n  a --> d\n',
    ),
  ).toEqual([
    "[One\nmore] -REST-> [Two] --> [A person]",
    "[A person] -yes, (once)-> [One\nmore]",
    "(not trusted)",
    "  [Rows, names]",
    "[One\nmore] --> [Rows, names]",
  ]);
});

test("a sequence's messages, with the participants' names", () => {
  expect(
    rows("sequenceDiagram\n  participant C as Caller\n  C->>C: limits\n  C-->>DB: 200, or a problem\n"),
  ).toEqual(["[Caller] -limits-> [Caller]", "[Caller] -200, or a problem-> [DB]"]);
});

test("entities and how many", () => {
  expect(
    rows('erDiagram\n  DATA_SOURCE ||--o{ CONTRACT : "is watched by"\n  PLAN ||--o| ACTION : has\n'),
  ).toEqual(["[Data source] -is watched by (any number)-> [Contract]", "[Plan] -has-> [Action]"]);
});

test("what is not known is left to be shown as text", () => {
  expect(rows("pie\n  a: 1")).toBeUndefined();
  expect(rows("flowchart LR\n  a === b")).toBeUndefined();
  expect(rows("sequenceDiagram\n  loop often\n")).toBeUndefined();
});

test("every diagram of the docs is understood", () => {
  const docs = join(import.meta.dirname, "../../docs");
  const found = readdirSync(docs)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) =>
      [...readFileSync(join(docs, name), "utf8").matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(
        ([, text = ""]) => ({ name, text }),
      ),
    );
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ text }) => !diagramRows(text)).map(({ name }) => name)).toEqual([]);
});
