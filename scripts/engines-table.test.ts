import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindLabels } from "../server/data-sources/dialects/dialects.ts";
import { databaseKinds } from "../server/data-sources/kinds.ts";
import { capabilities, cellsOf, tableOf } from "./engines-table.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/engines.md"), "utf8");
const rows = page
  .slice(page.indexOf("<!-- written by"), page.indexOf("<!-- end -->"))
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.slice(2, -2).split(" | "));

test("docs/engines.md has a column for each engine, a row for each capability, and a word in every cell", () => {
  const [head, , tried, ...cells] = rows;
  expect(head).toEqual(["", ...databaseKinds.map((kind) => kindLabels[kind])]);
  expect(tried?.[0]).toBe("Tried on");
  expect(cells.map(([name]) => name)).toEqual(capabilities.map(([name]) => name));
  for (const [name, ...each] of cells) {
    expect(each, name).toHaveLength(databaseKinds.length);
    for (const cell of each)
      expect(cell, name).toMatch(/^(yes, \d+ tests?|not run: needs a server|no test of it)$/);
  }
});

test("a cell counts what passed and what was skipped, and a failed test is no table", () => {
  const file = "server/data-sources/engines/files.test.ts";
  const bound = /parameters are bound/;
  const title = "as every engine > values > parameters are bound, never interpolated";
  expect(cellsOf([{ file, title, state: "passed" }], "Files", bound)).toEqual({ passed: 1, skipped: 0 });
  expect(cellsOf([{ file, title, state: "skipped" }], "Files", bound)).toEqual({ passed: 0, skipped: 1 });
  expect(cellsOf([{ file, title, state: "passed" }], "MySql", bound)).toEqual({ passed: 0, skipped: 0 });
  expect(() => tableOf([{ file, title, state: "failed" }])).toThrow("nothing is written");
});
