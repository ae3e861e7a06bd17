import { expect, test } from "vitest";
import { aTable } from "./table.fixture.ts";
import { tellerWeights, votesFor } from "./teller-weights.ts";

const tellersOf = (names: string[]) => {
  const [column] = aTable(
    ["teller text"],
    names.map((name) => [name]),
  ).columns;
  if (!column) throw new Error("The table has a column");
  return column;
};
const tellers = tellersOf(["a", "b", "c", "d"]);
/** Forty things; the last teller always tells something of its own. */
const things = Array.from({ length: 40 }, (_, thing) =>
  [0, 1, 2, 3].map((teller) => ({ teller, value: teller === 3 ? 1000 + thing : thing })),
);

test("who is never confirmed has no vote, and who is always confirmed has the same as the others like it", () => {
  const [a = 0, b = 0, c = 0, d = 0] = tellerWeights(tellers, things);
  expect(d).toBe(0);
  expect([b, c]).toEqual([a, a]);
  // On average, a weight is 1: three share four.
  expect(a).toBeCloseTo(4 / 3, 10);
});

test("where nobody is confirmed, or nobody tells of what others tell, all have the same vote", () => {
  const alone = things.map((thing, index) => thing.filter(({ teller }) => teller === index % 4));
  expect(tellerWeights(tellers, alone)).toEqual([1, 1, 1, 1]);
  expect(tellerWeights(tellers, [])).toEqual([1, 1, 1, 1]);
});

test("votes are added up by value", () => {
  const told = [
    { teller: 0, value: 7 },
    { teller: 1, value: 8 },
    { teller: 2, value: 7 },
  ];
  expect([...votesFor(told, [0.5, 2, 1])]).toEqual([
    [7, 1.5],
    [8, 2],
  ]);
});
