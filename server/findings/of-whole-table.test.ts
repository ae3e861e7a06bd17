import { expect, test } from "vitest";
import { ofWholeTable } from "./of-whole-table.ts";

const part = { isWhole: false, rowCount: 100_000, totalRows: 5_000_000 };
const statement = "884 of 100,000 rows of orders have no city; all others do.";

test("what was read in part says how many there are in the whole table", () => {
  expect(ofWholeTable(statement, part, { readRows: 884, failingRows: 44_120 })).toBe(
    `${statement} That is among the 100,000 rows that were read; in the whole table, it concerns 44,120 of about 5,000,000 rows.`,
  );
  expect(ofWholeTable("One.", part, { readRows: 1, failingRows: 1 })).toBe(
    "One. That is among the 100,000 rows that were read; in the whole table, it concerns 1 of about 5,000,000 rows.",
  );
});

test("what was read whole, or is about rows that are missing, has nothing to add", () => {
  const whole = { isWhole: true, rowCount: 9_000, totalRows: 9_000 };
  expect(ofWholeTable(statement, whole, { readRows: 884, failingRows: 884 })).toBe(statement);
  expect(ofWholeTable(statement, part, { readRows: 0, failingRows: 0 })).toBe(statement);
});
