import { expect, test } from "vitest";
import { headersIn, linesOf } from "./header-lines.ts";

test("headers are parsed one per line, and formatted the same way", () => {
  const headers = headersIn("X-Team: data\n\n  Accept :text/x; q=1:2  \nX-Empty:");
  expect(headers).toEqual({ "X-Team": "data", Accept: "text/x; q=1:2", "X-Empty": "" });
  expect(linesOf(headers ?? {})).toBe("X-Team: data\nAccept: text/x; q=1:2\nX-Empty: ");
  expect(headersIn(" ")).toEqual({});
});

test.each(["Bearer abc", ": value", "X Y: 1", "X-A: 1\nx-a: 2"])("%j is none", (text) =>
  expect(headersIn(text)).toBeNull(),
);
