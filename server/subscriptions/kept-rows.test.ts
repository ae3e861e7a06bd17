import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hashedRows, hmacWith, keptRowsOf, withoutMatch } from "./kept-rows.ts";

const key = Buffer.alloc(32, 1);
const columns = [
  { name: "id", type: "int4" },
  { name: "note", type: "text" },
];
const kept = (rows: (string | number | null)[][], by = key) => {
  const found = keptRowsOf({ columns, rows }, by);
  if (!found) throw new Error("There are rows");
  return found;
};

test("new and gone rows are told apart by all their values", () => {
  const before = kept([
    [1, "a"],
    [2, "b"],
    [3, "c"],
  ]).hashes;
  const now = kept([
    [3, "c"],
    [2, "changed"],
    [4, null],
  ]).hashes;
  expect(withoutMatch(now, before)).toEqual([1, 2]);
  expect(withoutMatch(before, now)).toEqual([0, 1]);
  expect(withoutMatch(now, now)).toEqual([]);
});

test("of rows that are the same, as many match as there were before", () => {
  const before = kept([
    [1, "a"],
    [1, "a"],
  ]).hashes;
  const now = kept([
    [1, "a"],
    [2, "b"],
    [1, "a"],
    [1, "a"],
  ]).hashes;
  expect(withoutMatch(now, before)).toEqual([1, 3]);
  expect(withoutMatch(before, now)).toEqual([]);
});

test("values of different types and places are different rows", () => {
  const rows: (string | number | null)[][] = [
    [1, ""],
    ["1", ""],
    ["", "1"],
    [null, ""],
    ["null", ""],
  ];
  expect(withoutMatch(kept(rows).hashes, kept([[1, ""]]).hashes)).toEqual([1, 2, 3, 4]);
});

test("hashes depend on the key, so that values cannot be guessed from them", () => {
  const rows = [[1, "a"]];
  expect(kept(rows).hashes).toEqual(kept(rows).hashes);
  expect(kept(rows).hashes).not.toEqual(kept(rows, Buffer.alloc(32, 2)).hashes);
});

test("the keyed hash is the standard one", () => {
  // RFC 4231, test case 2.
  expect(hmacWith(Buffer.from("Jefe"))("what do ya want for nothing?").toString("hex")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
  for (const text of ["", "ä€😀", "x".repeat(5000)])
    expect(hmacWith(key)(text)).toEqual(createHmac("sha256", key).update(text).digest());
});

test("twenty rows are kept masked, and a thousand compared", () => {
  const many = Array.from({ length: 1_500 }, (_, id) => [id, `ada${id}@example.com`]);
  const { sample, hashes } = kept(many);
  expect(sample.rows).toHaveLength(20);
  expect(sample.rows[7]).toEqual([7, "•••#@•••••••.•••"]);
  expect(sample.maskedColumns).toEqual(["note"]);
  expect(hashedRows(hashes)).toBe(1_000);
  expect(keptRowsOf({ columns, rows: [] }, key)).toBeNull();
});
