import { describe, expect, test } from "vitest";
import { shapeOf } from "./text-shape.ts";

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

test.each<[string, string[], string | undefined, string | null | undefined]>([
  ["codes of three letters", ["EUR", "USD", "GBP"], "^[A-Z]{3}$", "[A-Z][A-Z][A-Z]"],
  ["one letter", ["M", "F", "M"], "^[A-Z]$", "[A-Z]"],
  ["codes with a separator", ["A-001", "B-002", "C-113"], "^[A-Z]-[0-9]{3}$", "[A-Z]-[0-9][0-9][0-9]"],
  ["numbers that grow", ["ORD_9", "ORD_10", "ABC_11"], "^[A-Z]{3}_[0-9]+$", null],
  ["a prefix that is always the same", times(12, (n) => `ORD-${n}`), "^ORD-[0-9]+$", null],
  ["hexadecimal numbers", ["a1b2c3", "ab12c3", "00ff9a"], "^[a-z0-9]{6}$", undefined],
  ["plates", ["B-AB123", "M-X9Y8Z"], undefined, undefined],
  ["versions", ["1.2.3", "10.0.1", "2.20.33"], "^[0-9]+[.][0-9]+[.][0-9]+$", null],
  ["telephone numbers", ["+4930123456", "+4412345678", "+331234567"], "^[+][0-9]+$", null],
  [
    "addresses of email",
    ["ada@example.com", "b.c+d@mail.example.org", "x@y.de"],
    "^[^@[:space:]]+@[^@[:space:]]+[.][^@[:space:].]+$",
    "%_@_%._%",
  ],
  ["dates", ["2026-01-01", "2025-12-31", "1999-02-03"], "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", undefined],
  [
    "times",
    ["2026-01-01T10:00:00Z", "2026-01-01T10:00:00+02:00", "2026-01-02T11:30"],
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}",
    undefined,
  ],
  [
    "web addresses",
    ["https://a.example/x", "http://b.example", "https://c.example/?q=1"],
    "^https?://[^[:space:]]+$",
    null,
  ],
])("%s", (_, values, regex, like) => {
  const shape = shapeOf(values);
  expect(shape?.regex).toBe(regex);
  if (like !== undefined) expect(shape?.like).toBe(like);
});

test("runs that all have the same length may have another in other rows", () => {
  expect(shapeOf(["A-001", "B-002", "C-113"])?.looser).toMatchObject({
    regex: "^[A-Z]+-[0-9]+$",
    like: null,
  });
  expect(shapeOf(["A-1", "BC-22", "D-3"])?.looser).toBeUndefined();
});

test("UUIDs are recognized in upper and lower case", () => {
  const shape = shapeOf(times(3, () => crypto.randomUUID()).concat(crypto.randomUUID().toUpperCase()));
  expect(shape?.name).toBe("a UUID");
});

test("a few recurring words are listed", () => {
  const words = times(40, (index) => ["paid", "open", "in transit", "v1.0"][index % 4] ?? "");
  expect(shapeOf(words)).toEqual({
    name: "one of in transit, open, paid, v1.0",
    regex: "^(in transit|open|paid|v1[.]0)$",
    isList: true,
    like: null,
  });
  expect(shapeOf(words.slice(0, 12))).toBeNull();
  const ofOneLength = times(40, (index) => ["paid", "open", "sent"][index % 3] ?? "");
  expect(shapeOf(ofOneLength)?.regex).toBe("^(open|paid|sent)$");
});

describe("no shape is inferred from", () => {
  test.each<[string, string[]]>([
    ["too few values", ["EUR", "USD"]],
    ["one value that is always the same", times(50, () => "EUR")],
    ["names", ["Ada Lovelace", "Grace Hopper", "Edsger W. Dijkstra"]],
    ["words of any length", ["apple", "pear", "fig"]],
    ["texts of another script", ["Берлин", "Москва", "Київ"]],
    ["empty texts among others", ["EUR", "", "USD"]],
    ["words with what a pattern would read", times(40, (n) => ["a|b", "c*"][n % 2] ?? "")],
    ["long texts", times(5, (n) => "a".repeat(200 + n))],
  ])("%s", (_, values) => {
    expect(shapeOf(values)).toBeNull();
  });
});

test("the values that a shape was inferred from always match it", () => {
  // A small deterministic generator, so that a failure can be reproduced.
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const alphabet = "AZaz09-_./:#+@ |(é";
  for (let round = 0; round < 3000; round++) {
    const letters = alphabet.slice(random(6), 6 + random(alphabet.length - 6));
    const values = times(3 + random(30), () =>
      times(1 + random(5), () => letters[random(letters.length)]).join(""),
    );
    const shape = shapeOf(values);
    if (!shape) continue;
    const regex = new RegExp(shape.regex.replaceAll("[:space:]", "\\s"));
    for (const value of values)
      expect(regex.test(value), `${shape.regex} ${JSON.stringify(value)}`).toBe(true);
  }
});
