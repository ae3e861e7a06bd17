import { expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { calibrated, confidenceOf, shownFrom } from "../judge.ts";
import { randomFrom } from "../random.fixture.ts";
import { aTable, saidOf } from "../table.fixture.ts";
import { toldOtherwise } from "./told-otherwise.ts";

const seeds = [1, 2, 3, 4, 5];
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const columns = ["source text", "train text", "leaves text", "seats integer"];

/** Ten sources tell when sixty trains leave; each counts the free seats at its own moment. */
function timetables(seed: number) {
  const random = randomFrom(seed);
  const leaves = many(60, (index) => `${8 + (index % 12)}:${10 + ((index * 7) % 50)}`);
  const rows = many(600, (index): (string | number | null)[] => [
    `site${index % 10}`,
    `R${Math.floor(index / 10)}`,
    leaves[Math.floor(index / 10)] ?? "",
    random.below(400),
  ]);
  return { random, rows };
}

test.each(seeds)(
  "what one source tells otherwise than most, or does not tell, is found (seed %d)",
  (seed) => {
    const { random, rows } = timetables(seed);
    // Up to three of the ten sources of a train.
    const planted = many(60, (train) =>
      random.some(random.below(4), 10).map((source) => train * 10 + source),
    ).flat();
    for (const [index, row] of planted.entries()) {
      const at = rows[row] ?? [];
      at[2] = index % 4 === 0 ? null : index % 4 === 1 ? "" : `${random.below(24)}:0${random.below(10)}`;
    }
    const table = aTable(columns, rows);
    const found = saidOf(toldOtherwise, table);
    expect(found.map(({ columns: doubted, rows: said }) => [doubted, [...said]])).toEqual([
      [["leaves"], planted],
    ]);
    expect([...rowsAgainst(found[0]?.condition ?? { is: "any", of: [] }, table)]).toEqual(planted);
    // No corpus has several tellers, so a fit of other dependencies must leave these where they are.
    for (const each of found) expect(calibrated(confidenceOf(each))).toBeGreaterThan(shownFrom);
  },
);

test("where half of the sources tell one thing and half another, nobody is right", () => {
  const rows = many(300, (index) => [
    `s${index % 6}`,
    `t${Math.floor(index / 6)}`,
    index < 6 ? (index < 3 ? "a" : "b") : `value ${Math.floor(index / 6)}`,
  ]);
  expect(saidOf(toldOtherwise, aTable(["source text", "thing text", "told text"], rows))).toEqual([]);
});

test("a source that never errs, and what each source has for itself, are left alone", () => {
  const { rows } = timetables(1);
  expect(saidOf(toldOtherwise, aTable(columns, rows))).toEqual([]);
});

test.each(seeds)("orders of customers are not told by several (seed %d)", (seed) => {
  const random = randomFrom(seed);
  const rows = many(900, () => [`c${random.below(12)}`, `p${random.below(60)}`, `city ${random.below(40)}`]);
  expect(saidOf(toldOtherwise, aTable(["customer text", "product text", "city text"], rows))).toEqual([]);
});

test("what is paid each month is no tale of the months", () => {
  // Ten months of sixty people, who get more in June.
  const rows = many(600, (index) => {
    const [month, person] = [(index % 10) + 1, Math.floor(index / 10)];
    return [
      `2024-${String(month).padStart(2, "0")}`,
      `p${person}`,
      2000 + person * 7 + (month === 6 ? 1000 : 0),
    ];
  });
  const said = (columns: string[], of: typeof rows) => saidOf(toldOtherwise, aTable(columns, of));
  const columns = ["month text", "person text", "gross integer"];
  expect(said(columns, rows)).toEqual([]);
  // Nor where one of the months is unreadable.
  const broken = rows.map((row, index) => (index === 5 ? ["unknown", ...row.slice(1)] : row));
  expect(said(columns, broken)).toEqual([]);
});

test("columns that few rows have are not told by several", () => {
  // Of 3,000 airfields on six continents, one in four has a code, and two share one.
  const rows = many(3000, (index) => [
    `C${index % 6}`,
    index % 4 === 0 ? `L${index === 1200 ? 0 : index}` : null,
    `name ${index}`,
  ]);
  expect(saidOf(toldOtherwise, aTable(["continent text", "local_code text", "name text"], rows))).toEqual([]);
});

test("a source that the others often confirm counts more than two that are mostly alone", () => {
  // Seven sources and forty things. The first three are right; each of the others makes up two of three answers.
  const answer = (source: number, thing: number) =>
    source < 3 || (thing + source) % 3 === 0 ? `right ${thing}` : `made up ${thing} by ${source}`;
  const rows = many(280, (index) => {
    const [source, thing] = [index % 7, Math.floor(index / 7)];
    return [`s${source}`, `t${thing}`, answer(source, thing)] as (string | null)[];
  });
  // Of the last thing two good sources tell one time, and three bad ones another.
  for (const [source, told] of ["8:10", null, "8:10", "9:55", "9:55", "9:55", null].entries())
    (rows[39 * 7 + source] ?? [])[2] = told;
  const [found] = saidOf(toldOtherwise, aTable(["source text", "thing text", "told text"], rows));
  const doubted = [...(found?.rows ?? [])].filter((row) => row >= 39 * 7).map((row) => row - 39 * 7);
  expect(doubted).toEqual([1, 3, 4, 5, 6]);
});

test("that a thing is called otherwise in another language, or version, says nothing", () => {
  const { rows } = timetables(1);
  for (const row of [13, 57, 111, 208, 333, 471, 590]) (rows[row] ?? [])[2] = `other ${row}`;
  const saidOfTeller = (teller: string) =>
    saidOf(toldOtherwise, aTable([`${teller} text`, ...columns.slice(1)], rows)).length;
  expect(["source", "language", "generation"].map(saidOfTeller)).toEqual([1, 0, 0]);
});
