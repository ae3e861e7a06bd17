import { describe, expect, test } from "vitest";
import { databaseOf } from "./corpus.fixture.ts";
import { findingsIn } from "./find.ts";
import { shownFrom } from "./judge.ts";
import { type CellsOf, quietCorpora, quietTables } from "./quiet-corpora.fixture.ts";

const foundIn = (name: string, seed: number, spoil?: (cells: CellsOf) => void) =>
  findingsIn(databaseOf(...quietTables(name, seed, spoil))).filter(
    ({ confidence }) => confidence >= shownFrom,
  );
const shownIn = (name: string, seed: number) =>
  foundIn(name, seed).map(
    ({ candidate, confidence }) => `${confidence.toFixed(2)} ${candidate.kind}: ${candidate.statement}`,
  );

describe.each(Object.keys(quietCorpora))("nothing is shown of %s", (name) => {
  test.each([1, 2, 3, 4, 5])("seed %i", (seed) => {
    expect(shownIn(name, seed)).toEqual([]);
  });
});

/** One thing made wrong in each, so that silence is not deafness: the kind it is found as, and the column. */
const faults: Record<string, { kind: string; column: string; spoil: (cells: CellsOf) => void }> = {
  "heavy tails": {
    kind: "MissingValue",
    column: "amount",
    spoil: (cells) => cells("payments", "amount").splice(700, 2, null, null),
  },
  "free text": {
    kind: "Encoding",
    column: "author",
    spoil: (cells) => cells("comments", "author").splice(300, 1, "JÃ¼rgen MÃ¼ller"),
  },
  "codes with check digits": {
    kind: "Format",
    column: "ean",
    spoil: (cells) => {
      const eans = cells("articles", "ean");
      const [right] = eans;
      const wrongDigit = String((Number(String(right).at(-1)) + 1) % 10);
      eans[0] = `${String(right).slice(0, -1)}${wrongDigit}`;
    },
  },
  "sparse columns": {
    kind: "Duplicate",
    column: "id",
    spoil: (cells) => cells("tickets", "id").splice(600, 1, 17),
  },
  "enumerations that grow": {
    kind: "Variant",
    column: "carrier",
    spoil: (cells) => cells("deliveries", "carrier").splice(990, 1, "Courier "),
  },
  "series with seasons": {
    kind: "OutOfRange",
    column: "temperature",
    spoil: (cells) => cells("load_by_hour", "temperature").splice(1000, 1, "-999.0"),
  },
  "surrogate keys with gaps": {
    kind: "Orphan",
    column: "customer_id",
    spoil: (cells) => cells("orders", "customer_id").splice(800, 1, 999_999),
  },
  "test fixtures": {
    kind: "Format",
    column: "email",
    spoil: (cells) => cells("fixtures", "email").splice(100, 1, "test101.example.com"),
  },
};

test.each(Object.keys(quietCorpora))("a fault in %s is shown", (name) => {
  const fault = faults[name];
  if (!fault) throw new Error(`No fault is planted in ${name}`);
  const found = foundIn(name, 1, fault.spoil);
  expect(found.map(({ candidate }) => [candidate.kind, candidate.columns])).toEqual([
    [fault.kind, [fault.column]],
  ]);
  expect(found[0]?.candidate.rows.length).toBeGreaterThan(0);
});
