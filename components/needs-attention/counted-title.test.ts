import { expect, test } from "vitest";
import { countedTitle } from "./counted-title.ts";

test.each([
  ["Tasks · Plumbline", 3, "(3) Tasks · Plumbline"],
  ["(3) Tasks · Plumbline", 12, "(12) Tasks · Plumbline"],
  ["(3) Tasks · Plumbline", 0, "Tasks · Plumbline"],
  ["(old) orders · Plumbline", 0, "(old) orders · Plumbline"],
])("%s with %i is %s", (title, count, counted) => {
  expect(countedTitle(title, count)).toBe(counted);
});
