import { describe, expect, test } from "vitest";
import { inconsistencies } from "./detectors/inconsistent.ts";
import { randomFrom } from "./random.fixture.ts";
import { aTable, saidOf } from "./table.fixture.ts";

type Cell = string | number;
const seeds = [1, 2, 3];
const columns = ["team text", "year integer", "league text", "city text"];

/** Twenty teams over forty years, each in one of two leagues. */
function teams(league: (team: number, year: number) => string | undefined) {
  const rows: Cell[][] = [];
  for (let year = 1980; year < 2020; year++)
    for (let team = 0; team < 20; team++)
      rows.push([`T${team}`, year, league(team, year) ?? (team % 2 ? "NL" : "AL"), `City ${team % 9}`]);
  return rows;
}

const sureOf = (rows: Cell[][]) =>
  saidOf(inconsistencies, aTable(columns, rows))
    .filter(({ columns: [name], statement }) => name === "league" && statement.includes("each team"))
    .map(({ features }) => features.areChanges);

describe("what differs within a group is a change", () => {
  test("where it is there from some year on, for years", () => {
    expect(sureOf(teams((team, year) => (team === 4 && year >= 2013 ? "NL" : undefined)))).toEqual([1]);
  });

  test("where it was there until then", () => {
    expect(sureOf(teams((team, year) => (team === 4 && year < 1985 ? "NL" : undefined)))).toEqual([1]);
  });

  test("where each of several changed in its own year", () => {
    const moved = new Map([
      [3, 2018],
      [8, 2017],
      [11, 2016],
      [14, 2015],
    ]);
    const league = (team: number, year: number) =>
      year >= (moved.get(team) ?? 3000) ? (team % 2 ? "AL" : "NL") : undefined;
    expect(sureOf(teams(league))).toEqual([1]);
  });
});

describe("what a few rows of each group tell", () => {
  /** Twelve clubs with four rows each: since the last of them, or in the middle, with another name. */
  const clubs = (other: number) => {
    const rows: Cell[][] = [];
    for (let club = 0; club < 300; club++)
      for (let year = 0; year < 4; year++)
        rows.push([
          `C${club}`,
          1990 + ((club * 7) % 20) + year * 2,
          club % 25 === 3 && year === other ? "New" : `N${club}`,
          "Town",
        ]);
    return rows;
  };

  test("is a change where it is the last one in each of a dozen", () => {
    expect(sureOf(clubs(3))).toEqual([1]);
  });

  test("and none where it is in the middle", () => {
    expect(sureOf(clubs(1))).toEqual([0]);
  });
});

describe("and a fault", () => {
  test.each(seeds)("where it is there now and then (seed %i)", (seed) => {
    const random = randomFrom(seed);
    const rows = teams(() => undefined);
    for (const row of random.some(6, rows.length)) (rows[row] ?? [])[2] = "XL";
    expect(sureOf(rows)).toEqual([0]);
  });

  test("where all have it since one year, which is one load", () => {
    expect(sureOf(teams((team, year) => (year === 2019 && team % 2 ? "AL" : undefined)))).toEqual([0]);
  });

  test("where it is there once, though at the end", () => {
    expect(sureOf(teams((team, year) => (team === 4 && year === 2019 ? "NL" : undefined)))).toEqual([0]);
  });
});
