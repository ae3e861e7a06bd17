import { expect, test } from "vitest";
import { type Fault, pairFaults } from "./same-fault.ts";

const variant = (...values: string[]): Fault => ({
  kind: "Variant",
  columns: ["currency"],
  condition: { is: "oneOf", column: "currency", values },
});
const above = (bound: string): Fault => ({
  kind: "OutOfRange",
  columns: ["price"],
  condition: { is: "above", column: "price", bound },
});

test("the same fault keeps its place though its bound moves and its values grow", () => {
  const { pairs, unpaired, gone } = pairFaults(
    [variant("usd"), above("20")],
    [above("31.5"), variant("Usd", "usd")],
  );
  expect(pairs).toEqual([
    [above("20"), above("31.5")],
    [variant("usd"), variant("Usd", "usd")],
  ]);
  expect([unpaired, gone]).toEqual([[], []]);
});

test("another value in the same column is another fault, and so is another column or kind", () => {
  const known = [variant("usd"), above("20")];
  const found: Fault[] = [
    variant("eur"),
    { ...above("20"), columns: ["cost"] },
    { ...above("20"), kind: "Impossible" },
  ];
  expect(pairFaults(known, found)).toEqual({ pairs: [], unpaired: found, gone: known });
});

test("of several alike each is paired with the one that it shares most values with, and once", () => {
  const [one, two] = [variant("a", "b"), variant("c")];
  const [foundOne, foundTwo] = [variant("c", "d"), variant("b", "a")];
  expect(pairFaults([one, two], [foundOne, foundTwo]).pairs).toEqual([
    [two, foundOne],
    [one, foundTwo],
  ]);
  expect(pairFaults([two], [foundOne, variant("c")])).toEqual({
    pairs: [[two, foundOne]],
    unpaired: [variant("c")],
    gone: [],
  });
});

test("of days without rows each is a fault of its own, and a table that stopped stays the same", () => {
  const hole = (since: string): Fault => ({
    kind: "Truncated",
    columns: ["loaded_at"],
    condition: null,
    evidence: { since },
  });
  const [first, second] = [hole("2025-03-10"), hole("2025-06-02")];
  expect(pairFaults([first], [second, first])).toEqual({
    pairs: [[first, first]],
    unpaired: [second],
    gone: [],
  });
  expect(pairFaults([first], [second])).toEqual({ pairs: [], unpaired: [second], gone: [first] });
});

test("a fault whose values became too many to list is the same one", () => {
  const broken = (condition: Fault["condition"]): Fault => ({
    kind: "Encoding",
    columns: ["name"],
    condition,
  });
  const listed = (...values: string[]) => broken({ is: "oneOf", column: "name", values });
  const having = (...texts: string[]) => broken({ is: "has", column: "name", texts });
  const [letters, markup] = [listed("M\u00c3\u00bcller"), listed("<b>Smith</b>")];
  const now = having("\u00c3\u00a9", "\u00c3\u00bc");
  expect(pairFaults([markup, letters], [now])).toEqual({
    pairs: [[letters, now]],
    unpaired: [],
    gone: [markup],
  });
  expect(pairFaults([now], [letters, markup])).toEqual({
    pairs: [[now, letters]],
    unpaired: [markup],
    gone: [],
  });
  const padded: Fault = { ...variant(), condition: { is: "padded", column: "currency" } };
  expect(pairFaults([variant("New Yrok"), variant(" USD")], [padded]).pairs).toEqual([
    [variant(" USD"), padded],
  ]);
});
