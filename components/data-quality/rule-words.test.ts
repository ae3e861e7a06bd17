import { expect, test } from "vitest";
import { suggestedRuleName } from "./rule-words.ts";

test("a suggested name says what is checked", () => {
  expect(suggestedRuleName({ type: "NullRate", configuration: { column: "delay" } })).toBe(
    "Null rate of delay",
  );
  expect(suggestedRuleName({ type: "Volume", configuration: {} })).toBe("Volume");
});
