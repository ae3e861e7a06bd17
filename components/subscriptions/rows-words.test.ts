import { expect, test } from "vitest";
import { basisWords, changeWords } from "./rows-words.ts";

const found = (
  rowCount: number,
  newCount: number,
  goneCount: number,
  comparedRows: number | null = null,
) => ({
  rowCount,
  comparison: { newRows: [], goneRows: [], newCount, goneCount, comparedRows },
});

test("says what is new and what is gone", () => {
  expect(changeWords(found(22, 3, 1))).toBe("3 new, 1 gone");
  expect(changeWords(found(22, 0, 1204))).toBe("1,204 gone");
  expect(changeWords(found(22, 0, 0))).toBe("The same rows");
  expect(changeWords(found(0, 0, 0))).toBe("Still no rows");
  expect(changeWords(found(0, 0, 5))).toBe("5 gone");
  expect(changeWords(found(3, 3, 0))).toBe("3 new");
  expect(changeWords({ rowCount: 3, comparison: null })).toBe("");
});

test("says when only the first rows were compared", () => {
  expect(basisWords(found(5000, 3, 1, 1000))).toBe("Compared among the first 1,000 rows of each run.");
  expect(basisWords(found(500, 3, 1))).toBeNull();
});
