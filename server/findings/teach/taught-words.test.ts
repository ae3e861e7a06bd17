import { expect, test } from "vitest";
import { taughtWords } from "./taught-words.ts";

test("says which way it moved, and what was answered", () => {
  const words = (confidence: number, wrong: number, right: number, untaught: number | null) =>
    taughtWords({ confidence, taught: { wrong, right, untaught } });
  expect(words(0.92, 3, 1, null)).toBe("Found by Teach: 3 cells said to be wrong, 1 said to be right");
  expect(words(0.92, 1, 0, 0.7)).toBe("Shown higher: 1 cell said to be wrong");
  expect(words(0.2, 0, 2, 0.7)).toBe("Shown lower: 2 cells said to be right");
  expect(words(0.2, 0, 0, 0.7)).toBe("Shown lower: answers about cells like these in other columns");
});

test("says nothing where nothing has moved", () => {
  expect(taughtWords({ confidence: 0.9, taught: null })).toBeNull();
  expect(taughtWords({ confidence: 0.9004, taught: { wrong: 1, right: 0, untaught: 0.9 } })).toBeNull();
});
