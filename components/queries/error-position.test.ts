import { expect, test } from "vitest";
import { failedPlace, placeInWhole, wordsOfPlace } from "./error-position.ts";

test("a place in the selection is found in the whole text", () => {
  const text = "select 1;\n  select a,\n nope from t";
  const from = text.indexOf("select a");
  expect(placeInWhole({ line: 1, column: 8 }, text, from)).toEqual({ line: 2, column: 10 });
  expect(placeInWhole({ line: 2, column: 2 }, text, from)).toEqual({ line: 3, column: 2 });
  expect(placeInWhole({ line: 2, column: null }, text, from)).toEqual({ line: 3, column: null });
  expect(placeInWhole({ line: 1, column: 8 }, text, 0)).toEqual({ line: 1, column: 8 });
});

test("the step that failed is the named one, or else the one that ran", () => {
  const place = { line: 2, column: 4 };
  const keys = [7, 3];
  expect(failedPlace({ ...place, step: 2 }, { stepKey: null, keys })).toEqual({ stepKey: 3, ...place });
  expect(failedPlace(place, { stepKey: 3, keys })).toEqual({ stepKey: 3, ...place });
  expect(failedPlace(place, { stepKey: null, keys: [7] })).toEqual({ stepKey: 7, ...place });
  expect(failedPlace(undefined, { stepKey: 3, keys })).toBeNull();
});

test("an earlier step that fails while a selection runs has a place of its own", () => {
  const part = { from: 20, text: "a long text\nof two lines" };
  const ran = { stepKey: 3, keys: [7, 3], part };
  expect(failedPlace({ line: 1, column: 2, step: 1 }, ran)).toEqual({ stepKey: 7, line: 1, column: 2 });
  expect(failedPlace({ line: 1, column: 2, step: 2 }, ran)).toEqual({ stepKey: 3, line: 2, column: 10 });
});

test("words of a place", () => {
  expect(wordsOfPlace({ line: 3, column: 8 })).toBe("Line 3, column 8");
  expect(wordsOfPlace({ line: 3, column: null })).toBe("Line 3");
});
