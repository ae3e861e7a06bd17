import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cellScoreOf, dataSetsIn } from "./cells.ts";

const folder = mkdtempSync(join(tmpdir(), "cells-"));
afterAll(() => rmSync(folder, { recursive: true }));

const towns = ["Bremen", "Kiel", "Ulm"];
const clean = Array.from({ length: 300 }, (_, index) => [
  `n${index}`,
  towns[index % 3] ?? "",
  `${index % 3}0000`,
]);

function write(name: string, dirty: readonly string[][]): void {
  mkdirSync(join(folder, name));
  const csv = (rows: readonly string[][]) =>
    [["name", "town", "zip"], ...rows].map((row) => row.join(",")).join("\n");
  writeFileSync(join(folder, name, "dirty.csv"), csv(dirty));
  writeFileSync(join(folder, name, "clean.csv"), csv(clean));
}

test("an empty cell among filled ones is a hit, and an undetectable one is a miss", () => {
  const dirty = clean.map((row, index) =>
    index === 7 ? row.with(1, "") : index === 9 ? row.with(0, "n9999") : row,
  );
  write("towns", dirty);
  expect(dataSetsIn(folder)).toEqual(["towns"]);
  const score = cellScoreOf(folder, "towns", 0.8);
  expect(score).toMatchObject({ cells: 900, wrong: 2 });
  const { untaught, taught } = score;
  expect(untaught.byColumn).toMatchObject([
    { column: "name", wrong: 1 },
    { column: "town", wrong: 1, hits: 1 },
    { column: "zip", wrong: 0 },
  ]);
  expect(untaught.recall).toBe(untaught.hits / 2);
  expect(untaught.precision).toBe(untaught.hits / untaught.detected);
  expect(taught.questions).toBeGreaterThan(0);
  expect(taught.questions).toBeLessThanOrEqual(20);
  // The number far beyond the others was no finding, but worth a question.
  expect(taught).toMatchObject({ detected: 2, hits: 2, recall: 1, precision: 1 });
});

test("copies of different lengths are rejected", () => {
  write("short", clean.slice(1));
  expect(() => cellScoreOf(folder, "short", 0.8)).toThrow("differ");
});
