import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { evaluationInWords } from "../in-words.ts";
import { markKnownFailureInput } from "../known-failure-schema.ts";
import type { ContractInput } from "../schema.ts";
import { collectDueSamples } from "./collect-samples.ts";
import { evaluateContract } from "./evaluate.ts";
import { getSamples } from "./get-samples.ts";
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

/** Marks the value that an evaluation's samples list at a place. */
async function markValue({ id, rules }: Contract, evaluationId: number, position: number) {
  await collectDueSamples();
  return markKnownFailure(ctx, {
    ...{ id, ruleKey: rules[0]?.key ?? "", until, reason: "An old scale" },
    value: { evaluationId, position },
  });
}

describe("one failing value", () => {
  beforeAll(async () => {
    // 4 of 10 are out of range: −1 twice, −2, and 900.
    await sql.unsafe(`
      create table pallets (id int primary key, weight int, code text, email text);
      insert into pallets values (1, -1, 'old', 'a@example.com'), (2, -1, 'old', 'a@example.com'), (3, -2, 'odd', 'b@example.com'),
        (4, 900, 'A', 'b@example.com'), (5, 5, 'A', 'c@example.com'), (6, 6, 'B', 'd@example.com'), (7, 7, 'B', 'e@example.com'),
        (8, 8, 'B', 'f@example.com'), (9, 9, 'A', 'g@example.com'), (10, 10, 'A', 'h@example.com')`);
  });
  const about = (rule: ContractInput["rules"][number], more: Partial<ContractInput> = {}) =>
    watching(rule, { tableName: "pallets", samples: "Full", ...more });

  test("is known, and its rows are as if they were not there", async () => {
    const contract = await about(aRule("Range", { column: "weight", min: "0", max: "100" }));
    const before = await evaluate(contract);
    expect(before.result).toMatchObject({ passed: false, score: 60, failing: 4 });
    // The most frequent value comes first.
    const known = await markValue(contract, before.id, 0);
    expect(known.group).toBe("weight = -1");
    // Without the two, 2 of 8 are out of range: 75. The figures are still those of all.
    const during = await evaluate(contract);
    expect(during.result).toMatchObject({
      ...{ passed: false, score: 75, failing: 4, knownFailures: [{ group: "weight = -1" }] },
      message: `1 failing value in 2 rows known: weight = -1 until 2999-12-12 10:30 UTC: An old scale (${known.by.name})`,
    });
    for (const position of [1, 2]) await markValue(contract, before.id, position);
    const after = await evaluate(contract);
    expect(after.result).toMatchObject({ passed: true, score: 100, failing: 4 });
    expect(after.result?.message).toContain("3 failing values in 4 rows known");
    expect(evaluationInWords({ ...after, evaluatedAt: null })).toContain("- known: ");

    await endKnownFailure(ctx, { id: contract.id, failureId: known.id });
    // −1 counts again: 2 of the 8 rows that are left.
    expect((await evaluate(contract)).result).toMatchObject({ passed: false, score: 75 });
  });

  test("counts with what may fail", async () => {
    const contract = await about(
      aRule("Range", { column: "weight", min: "0", max: "100", maxFailingRows: 2 }),
    );
    const { id, result } = await evaluate(contract);
    expect(result?.passed).toBe(false);
    await markValue(contract, id, 0);
    expect((await evaluate(contract)).result).toMatchObject({ passed: true, score: 100, failing: 4 });
  });

  test.each([
    [aRule("AllowedValues", { column: "code", values: ["A", "B"] }), "code = old", 2],
    [aRule("Uniqueness", { column: "email" }), "email = a@example.com", 2],
    [aRule("Pattern", { column: "code", pattern: "^[AB]$" }), "code = old", 2],
  ])("is known of %o", async (rule, words, count) => {
    const contract = await about(rule);
    const { id, result } = await evaluate(contract);
    expect(result?.passed).toBe(false);
    await collectDueSamples();
    const samples = await getSamples(ctx, { id, ruleId: contract.rules[0]?.id ?? 0 });
    const values = samples.byValue?.values ?? [];
    expect(values).toHaveLength(count);
    const place = values.findIndex(({ value }) => words.endsWith(`= ${value}`));
    expect((await markValue(contract, id, place)).group).toBe(words);
    expect((await evaluate(contract)).result).toMatchObject({
      passed: false,
      knownFailures: [{ group: words }],
    });
    await markValue(contract, id, 1 - place);
    expect((await evaluate(contract)).result).toMatchObject({ passed: true, score: 100 });
  });

  test("is recognized although it is masked, and nothing stored reveals it", async () => {
    const contract = await about(aRule("Pattern", { column: "email", pattern: "^[c-h]@" }), {
      samples: "Masked",
    });
    const { id } = await evaluate(contract);
    const known = await markValue(contract, id, 0);
    expect(known.group).not.toContain("example");
    expect((await evaluate(contract)).result?.message).toContain("1 failing value in 2 rows known");
    const [stored] = await sql`select sample::text from rule_samples where evaluation_id = ${id}`;
    expect(stored?.sample).not.toContain("a@example");
  });

  test("that is not listed cannot be known", async () => {
    const contract = await about(aRule("Range", { column: "weight", min: "0" }));
    const { id } = await evaluate(contract);
    await expect(markValue(contract, id, 7)).rejects.toMatchObject({ code: "not_found" });
    const both = { evaluationId: id, position: 0 };
    const given = {
      id: contract.id,
      ruleKey: contract.rules[0]?.key,
      reason: "x",
      until: until.toISOString(),
    };
    expect(markKnownFailureInput.safeParse({ ...given, group: both, value: both }).success).toBe(false);
  });
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
