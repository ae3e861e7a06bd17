import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import type { ContractInput } from "../schema.ts";
import { evaluateContract } from "./evaluate.ts";
import { endKnownFailure, listKnownFailures, markKnownFailure } from "./known-failures.ts";

/** Known failures, on a real database; expected values by hand. */

let ctx: SignedIn;
let dataSourceId: number;
const until = new Date("2999-12-12T10:30:00Z");

beforeAll(async () => {
  ctx = await asAdmin();
  dataSourceId = (await aDataSource()).id;
  // Of DE's 4 rows 1 is out of range, of FR's 2 rows 1, of IT's 4 none.
  await sql.unsafe(`
    create table parcels (id int primary key, country text, weight int);
    insert into parcels values (1, 'DE', -1), (2, 'DE', 1), (3, 'DE', 1), (4, 'DE', 1), (5, 'FR', -1),
      (6, 'FR', 1), (7, 'IT', 1), (8, 'IT', 1), (9, 'IT', 1), (10, 'IT', 1)`);
});
afterAll(closeSources);

const watching = (rule: ContractInput["rules"][number], more: Partial<ContractInput> = {}) =>
  aContract({ dataSourceId, tableName: "parcels", rules: [rule], ...more }, ctx);
type Contract = Awaited<ReturnType<typeof watching>>;
const evaluate = async ({ id }: Contract) => {
  const evaluation = await evaluateContract(ctx, id);
  return { ...evaluation, result: evaluation.ruleResults[0] };
};
const mark = ({ id, rules }: Contract, group?: { evaluationId: number; position: number }) =>
  markKnownFailure(ctx, {
    ...{ id, ruleKey: rules[0]?.key ?? "", until, reason: "The supplier fixes it" },
    ...(group && { group }),
  });
const inRange = { column: "weight", min: "0" };

test("a rule whose failure is known passes, and counts again once that is ended", async () => {
  const contract = await watching(aRule("Range", inRange));
  expect((await evaluate(contract)).result).toMatchObject({ passed: false, score: 80, knownFailures: [] });
  const known = await mark(contract);
  expect(await evaluate(contract)).toMatchObject({
    ...{ overallScore: 100, passedCount: 1, failedCount: 0, version: 1 },
    result: {
      ...{ passed: true, score: 100, failing: 2 },
      message: `2 failing, all known until 2999-12-12 10:30 UTC: The supplier fixes it (${known.by.name})`,
      knownFailures: [{ id: known.id, group: null, until: until.toISOString() }],
    },
  });
  expect((await endKnownFailure(ctx, { id: contract.id, failureId: known.id })).endedAt).toBeInstanceOf(Date);
  expect((await evaluate(contract)).result).toMatchObject({ passed: false, score: 80, knownFailures: [] });
  expect((await listKnownFailures(ctx, contract.id)).items).toMatchObject([{ id: known.id, group: null }]);
});

test("a known failure is over when its time has passed", async () => {
  const contract = await watching(aRule("Range", inRange));
  await mark(contract);
  await sql`update known_failures set until = now() - interval '1 second' where contract_id = ${contract.id}`;
  expect((await evaluate(contract)).result).toMatchObject({ passed: false, score: 80 });
});

test("one group of a rule is known, and the rule is judged as if it were not there", async () => {
  const contract = await watching(aRule("Range", { ...inRange, groupBy: ["country"] }), { samples: "Full" });
  const before = await evaluate(contract);
  expect(before.result?.groups?.worst.map(({ values }) => values)).toEqual([["DE"], ["FR"]]);
  expect(before.result?.score).toBe(80);
  const known = await mark(contract, { evaluationId: before.id, position: 0 });
  expect(known.group).toBe("country = DE");
  // Without DE, 1 of 6 rows is out of range: 83.33. The figures are still those of all groups.
  const during = await evaluate(contract);
  expect(during.result).toMatchObject({
    ...{ passed: false, score: 83.33, failing: 2, groups: { failing: 2 } },
    message: `2 groups failing, 1 known: country = DE until 2999-12-12 10:30 UTC: The supplier fixes it (${known.by.name})`,
  });
  await mark(contract, { evaluationId: during.id, position: 1 });
  expect((await evaluate(contract)).result).toMatchObject({ passed: true, score: 100, failing: 2 });
});

test("a masked group is recognized although nothing stored reveals it", async () => {
  await sql.unsafe(`create table letters (email text, weight int);
    insert into letters values ('a@example.com', -1), ('b@example.com', -1)`);
  const contract = await watching(aRule("Range", { ...inRange, groupBy: ["email"] }), {
    tableName: "letters",
  });
  const { id: evaluationId } = await evaluate(contract);
  expect((await mark(contract, { evaluationId, position: 0 })).group).not.toContain("example");
  expect((await evaluate(contract)).result?.message).toContain("2 groups failing, 1 known");
});

test("a rule that could not run fails although its failure is known", async () => {
  const contract = await watching(aRule("Range", { ...inRange, column: "nowhere" }));
  await mark(contract);
  expect((await evaluate(contract)).result).toMatchObject({ passed: false, couldRun: false });
});

test("what does not exist cannot be known, nor what is already over", async () => {
  const contract = await watching(aRule("Range", inRange));
  const { id: evaluationId } = await evaluate(contract);
  const { id } = contract;
  await expect(mark(contract, { evaluationId, position: 0 })).rejects.toMatchObject({ code: "not_found" });
  const given = { id, ruleKey: contract.rules[0]?.key ?? "", reason: "Late" };
  await expect(markKnownFailure(ctx, { ...given, until: new Date(0) })).rejects.toMatchObject({
    code: "invalid",
  });
  await expect(
    markKnownFailure(ctx, { ...given, until, ruleKey: crypto.randomUUID() }),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(endKnownFailure(ctx, { id, failureId: 2_000_000_000 })).rejects.toMatchObject({
    code: "not_found",
  });
});
