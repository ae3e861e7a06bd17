import { expect, test } from "vitest";
import { problemWords } from "./verification-words.ts";

test.each([
  [{ kind: "Removed", entryId: 17 }, "Entry 17 is missing"],
  [{ kind: "Changed", entryId: 17, action: "users.create" }, "Entry 17 (Created a user) was changed"],
  [
    { kind: "Added", entryId: 18, action: "users.create" },
    "Entry 18 (Created a user) is not in the chain: it was added past the service, or its link was removed",
  ],
  [
    { kind: "Broken", entryId: 4, position: 5 },
    "The chain is broken at position 5: links were removed or changed",
  ],
  [{ kind: "NotSigned", position: 5 }, "Position 5 of the chain is not signed by the service"],
  [{ kind: "Shortened", position: 5 }, "The chain ends before position 5, which it had reached"],
] as const)("%j", (problem, words) => {
  expect(problemWords({ entryId: null, action: null, position: null, ...problem })).toBe(words);
});
