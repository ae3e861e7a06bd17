import { expect, test } from "vitest";
import { draftsOf, type ParameterKind, readParameters } from "./parameter-values.ts";

const read = (kind: ParameterKind, text: string) => readParameters(["it"], { it: { kind, text } });

test("each kind produces a value of its type", () => {
  expect(read("Text", "007").values).toEqual({ it: "007" });
  expect(read("Number", " -1.50 ").values).toEqual({ it: -1.5 });
  expect(read("Number", "1e3").values).toEqual({ it: 1000 });
  expect(read("Boolean", "true").values).toEqual({ it: true });
  expect(read("Boolean", "false").values).toEqual({ it: false });
  expect(read("Null", "whatever").values).toEqual({ it: null });
});

test.each([
  ["", "is required"],
  ["1,5", "is not a number"],
  ["0x10", "is not a number"],
  ["1e999", "is too large"],
  ["9007199254740993", "is more than a number holds exactly: give it as text"],
])("the number %j is refused: it %s", (text, problem) => {
  expect(read("Number", text)).toEqual({ values: {}, problems: { it: problem } });
});

test("an empty parameter is an empty text, and unknown names are ignored", () => {
  expect(readParameters(["a"], { b: { kind: "Text", text: "x" } }).values).toEqual({ a: "" });
  expect(readParameters(["constructor"], {}).values).toEqual({ constructor: "" });
});

test("values that a run used are read back as they were", () => {
  const values = { least: 5, share: -0.25, since: null, strict: false, region: "north", number: "5" };
  expect(readParameters(Object.keys(values), draftsOf(values))).toEqual({ values, problems: {} });
});
