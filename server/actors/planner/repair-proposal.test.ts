import { expect, test } from "vitest";
import { aBriefing, aliveTimes, aTable } from "../../test/factories/briefings.ts";
import { proposeByRule } from "./propose-by-rule.ts";
import { checkIn } from "./written-check.ts";

const columns = [{ name: "id", isPrimaryKey: true }, { name: "a" }, { name: "b" }, aliveTimes("placed_at")];
const briefing = aBriefing({ tables: [aTable({ columns })] });
const proposal = proposeByRule(briefing, null);
const indexOf = (name: string) =>
  proposal.actions.findIndex((action) => action.kind === "CreateQuery" && action.name === name);
const repaired = (name: string, ...errors: string[]) =>
  proposeByRule(briefing, { proposal, faults: [{ index: indexOf(name), errors }] });

test("what failed is dropped along with its subscriptions, with the reason", () => {
  const { actions, analysis, summary } = repaired("Too few rows in orders", "took longer than 10 s");
  expect(JSON.stringify(actions)).not.toContain("Too few rows in orders");
  expect(actions).toHaveLength(proposal.actions.length - 2);
  expect(analysis).toContain("**Too few rows in orders** is left out: took longer than 10 s");
  expect(summary).toContain("1 action did not stand the trial, and was changed or left out.");
});

test("a column that the engine complains about is dropped if others remain", () => {
  const { actions } = repaired("Missing values in orders", 'permission denied for column "b" of orders');
  expect(actions).toHaveLength(proposal.actions.length);
  const query = actions[indexOf("Missing values in orders")];
  expect(query?.kind === "CreateQuery" && checkIn(query.sql)).toMatchObject({
    columns: ["a"],
    shownWith: ["id"],
  });
});

test("without faults it is unchanged", () => {
  expect(proposeByRule(briefing, { proposal, faults: [] })).toEqual(proposal);
});
