import { expect, test } from "vitest";
import { titleOf } from "./subscription-title.ts";

const alone = {
  ...{ id: 7, name: null, queryName: "Late orders", cronExpression: "0 6 * * *" },
  ...{ siblings: 0, siblingsInStep: 0 },
};

test.each([
  ["its own name, whatever else there is", { name: "Morning check", siblings: 3 }, "Morning check"],
  ["its query's name", {}, "Late orders"],
  ["by its schedule among others", { siblings: 1 }, "Late orders (every day at 06:00)"],
  ["a schedule in words", { siblings: 1, cronExpression: "*/5 * * * *" }, "Late orders (every 5 minutes)"],
  [
    "by its number among equal ones",
    { siblings: 2, siblingsInStep: 1 },
    "Late orders (every day at 06:00, #7)",
  ],
  ["the expression where words fail", { siblings: 1, cronExpression: "whenever" }, "Late orders (whenever)"],
] as const)("%s", (_, more, title) => {
  expect(titleOf({ ...alone, ...more })).toBe(title);
});
