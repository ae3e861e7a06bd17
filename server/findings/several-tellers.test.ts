import { expect, test } from "vitest";
import { tellersIn } from "./several-tellers.ts";
import { aTable } from "./table.fixture.ts";

/** Each of twenty sources tells of each of two hundred things once. */
const told = (columns: string[], row: (source: number, thing: number) => (string | number)[]) =>
  aTable(
    columns,
    Array.from({ length: 4000 }, (_, index) => row(index % 20, Math.floor(index / 20))),
  );

test("sources tell of the same things", () => {
  const table = told(["source text", "flight text", "gate text"], (source, thing) => [
    ...[`site-${source}.example`, `XY-${thing}-ABC`, `G${(thing * 7) % 40}`],
  ]);
  const found = tellersIn(table);
  expect([found?.teller.name, found?.thing.name]).toEqual(["source", "flight"]);
});

test("the matches of a tournament, and the visits of a patient, are no sources and no things", () => {
  const matches = told(["match_num integer", "tournament text", "country text"], (match, tournament) => [
    ...[match + 1, `2024-${tournament}`, ["GER", "FRA", "ESP"][(match * tournament) % 3] ?? ""],
  ]);
  expect(tellersIn(matches)).toBeNull();
  const visits = told(["patient text", "aseq integer", "visit text"], (patient, visit) => [
    ...[`P-${patient}`, visit + 1, `WEEK ${visit % 9}`],
  ]);
  expect(tellersIn(visits)).toBeNull();
});

test("the tests of one minute are of several patients, and no sources that tell of that minute", () => {
  const table = told(["test text", "taken_at text", "patient text"], (test, minute) => [
    ...[
      `T-${test}`,
      `2013-0${1 + (minute % 9)}-${10 + (minute % 19)}T${10 + (minute % 13)}:00`,
      `P-${minute % 90}`,
    ],
  ]);
  expect(tellersIn(table)).toBeNull();
});
