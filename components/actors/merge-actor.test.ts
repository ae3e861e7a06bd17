import { expect, test } from "vitest";
import { actorDifferenceWords } from "./actor-difference-words.ts";
import { emptyActor } from "./actor-form.ts";
import { mergeActors } from "./merge-actor.ts";

const base = emptyActor({ name: "Watch", instructions: "The orders", defaultRecipientIds: [1, 2] });

test("what only one has changed is taken from each", () => {
  const mine = {
    ...base,
    name: "Guard",
    defaultRecipientIds: [1, 2, 3],
    monthlyBudget: { tokens: "5", cost: "" },
  };
  const theirs = {
    ...base,
    maxQueries: "4",
    defaultRecipientIds: [2],
    monthlyBudget: { tokens: "", cost: "9" },
    wishes: { ...base.wishes, maxChecks: "3" },
  };
  const { value, differences } = mergeActors({ base, mine, theirs }, {});
  expect(value).toEqual({
    ...base,
    ...{ name: "Guard", maxQueries: "4", defaultRecipientIds: [2, 3] },
    monthlyBudget: { tokens: "5", cost: "9" },
    wishes: { ...base.wishes, maxChecks: "3" },
  });
  expect(differences.filter(({ isConflict }) => isConflict)).toEqual([]);
  expect(differences.map((each) => actorDifferenceWords(each).label)).toEqual([
    ...["Name", "Max queries", "Max checks", "Tokens a month", "Cost a month", "Recipients"],
  ]);
});

test("what both have changed is for the person to decide", () => {
  const sides = { base, mine: { ...base, name: "Mine" }, theirs: { ...base, name: "Theirs" } };
  expect(mergeActors(sides, {}).value.name).toBe("Mine");
  expect(mergeActors(sides, { name: "theirs" }).value.name).toBe("Theirs");
  expect(mergeActors(sides, {}).differences).toMatchObject([{ path: "name", isConflict: true }]);
});
