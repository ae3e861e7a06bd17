import { expect, test } from "vitest";
import { inconsistencies } from "./detectors/inconsistent.ts";
import { aTable, saidOf } from "./table.fixture.ts";

const columns = ["name text", "member_id text", "born date", "state text", "term integer"];

/** Two hundred members with five terms each; the last six years of some are changed. */
function members(change: (row: (string | number)[]) => void) {
  return Array.from({ length: 1000 }, (_, index) => {
    const member = index % 200;
    const row = [
      ...[`Name ${member}`, `M${1000 + member}`, `19${10 + (member % 80)}-0${1 + (member % 9)}-11`],
      ...[`State ${member % 50}`, Math.floor(index / 200)],
    ];
    change(row);
    return row;
  });
}

const byName = (rows: (string | number)[][]) =>
  saidOf(inconsistencies, aTable(columns, rows))
    .filter(({ statement }) => statement.includes("each name has"))
    .map(({ columns: [column], rows: doubted, features }) => [column, [...doubted], features.ofNamesakes]);

test("two people of one name are told from a value that slipped", () => {
  // Row 817 is the last term of member 17: another person of the same name, born elsewhere and on another day.
  const rows = members(() => {});
  rows[817] = ["Name 17", "M5000", "1971-12-24", "Abroad", 4];
  // Row 823 is the last term of member 23, with a wrong state.
  rows[823] = ["Name 23", "M1023", "1933-06-11", "Stat 23", 4];
  expect(byName(rows)).toEqual([
    ["member_id", [817], 1],
    ["born", [817], 1],
    ["state", [817, 823], 0.5],
  ]);
});
