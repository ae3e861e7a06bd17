import { expect, test } from "vitest";
import type { Lesson } from "./learned.ts";
import { learnedWords } from "./learned-words.ts";

const words = (confidence: number, learned: Partial<Lesson> | null) =>
  learnedWords({
    confidence,
    learned: learned && { accepted: 0, dismissed: 0, from: "DataSource", unlearned: 0.9, ...learned },
  });

test("a finding says which way it was moved, and by how many", () => {
  expect(words(0.61, { dismissed: 3 })).toBe("Shown lower: 3 like it were dismissed");
  expect(words(0.81, { dismissed: 1 })).toBe("Shown lower: 1 like it was dismissed");
  expect(words(0.95, { accepted: 2 })).toBe("Shown higher: 2 like it were accepted");
  expect(words(0.8, { dismissed: 3, accepted: 1 })).toBe(
    "Shown lower: 3 like it were dismissed, and 1 was accepted",
  );
  expect(words(0.89, { dismissed: 2, from: "Project" })).toBe(
    "Shown lower: 2 like it were dismissed in other data sources",
  );
});

test("what does not change the percentage is not told", () => {
  expect(words(0.9, null)).toBeNull();
  expect(words(0.9049, { accepted: 1 })).toBeNull();
});
