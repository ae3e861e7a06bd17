import { and, desc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { isSourceError } from "../../data-sources/engines/engine.ts";
import { useDatabase } from "../../data-sources/service/connected-sources.ts";
import { db, groupDb } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { Problem } from "../../errors.ts";
import { rejectPast } from "../../notifications/silence.ts";
import { compileFailingValues, type MeasurableRule, type Target } from "../compile.ts";
import { evaluations, ruleResults, ruleSamples } from "../evaluations/tables.ts";
import { groupWords } from "../group-words.ts";
import type { endKnownFailureInput, markKnownFailureInput } from "../known-failure-schema.ts";
import { type FoundValue, type KnownFailure, valueIdentity, withoutKnown } from "../known-failures.ts";
import { limits } from "../limits.ts";
import type { Verdict } from "../rules/verdict.ts";
import { knownFailures, rules } from "../tables.ts";
import { getContractTarget } from "./load-contracts.ts";
import type { MeasuredRule } from "./measurement-queue.ts";

/** How many a contract's list has. */
const maxListed = 500;

/** Marks what fails a rule, or one of its groups or values, as known. Not an edit: results and versions stay. */
export async function markKnownFailure(ctx: SignedIn, given: z.output<typeof markKnownFailureInput>) {
  const { id: contractId, ruleKey, group, value, until, reason } = given;
  await getContractTarget(ctx, contractId);
  rejectPast(until);
  const [rule] = await db
    .select({ id: rules.id })
    .from(rules)
    .where(and(eq(rules.contractId, contractId), eq(rules.key, ruleKey)));
  if (!rule) throw new Problem("not_found", "Rule not found");
  const about = group
    ? await groupOf(rule.id, group)
    : value
      ? await failingValueOf(rule.id, value)
      : { identity: null, group: null };
  const [marked] = await db
    .insert(knownFailures)
    .values({ contractId, ruleKey, ...about, until, reason, createdById: ctx.principal.userId })
    .returning({ id: knownFailures.id });
  return one(contractId, marked?.id ?? 0);
}

/** A contract's known failures, those that last longest first; not those of removed rules. */
export async function listKnownFailures(ctx: SignedIn, contractId: number) {
  await getContractTarget(ctx, contractId);
  return { items: await load(eq(knownFailures.contractId, contractId)) };
}

/** Ends one early: the next evaluation counts it. One that has ended stays as it is. */
export async function endKnownFailure(
  ctx: SignedIn,
  { id: contractId, failureId }: z.output<typeof endKnownFailureInput>,
) {
  await getContractTarget(ctx, contractId);
  await db
    .update(knownFailures)
    .set({ endedAt: sql`clock_timestamp()` })
    .where(
      and(
        isKnownFailure(contractId, failureId),
        isNull(knownFailures.endedAt),
        gt(knownFailures.until, sql`now()`),
      ),
    );
  return one(contractId, failureId);
}

type Evaluated = Target & { id: number; dataSourceId: number; trigger: "Manual" | "Scheduled" };
type KnownRule = MeasurableRule & { key: string; column: string | null };

/**
 * The results judged as if what is known at this moment were not there. Values of a rule are looked for in the data source,
 * since only what recognizes them is stored.
 */
export async function withoutKnownFailures<Rule extends KnownRule>(
  contract: Evaluated,
  results: readonly MeasuredRule<Rule>[],
): Promise<MeasuredRule<Rule>[]> {
  // Nothing is known of rules that pass, or that could not run.
  const isAny = results.some(({ verdict }) => !verdict.passed && verdict.couldRun);
  const known = isAny ? await lastingOf(contract.id) : [];
  if (known.length === 0) return [...results];
  const people = await namesOfUsers(known.map(({ createdById }) => createdById));
  const byRule = Map.groupBy(known, ({ ruleKey }) => ruleKey);
  const judged: MeasuredRule<Rule>[] = [];
  for (const result of results) {
    const own = byRule.get(result.rule.key) ?? [];
    const failures = own.map(({ ruleKey: _, until, createdById, ...failure }) => ({
      ...failure,
      until: until.toISOString(),
      by: nameOf(people, createdById).name,
    }));
    judged.push({ ...result, verdict: await withoutThem(contract, result, failures) });
  }
  return judged;
}

const lastingByContracts = compiled(
  (db) =>
    db
      .select({
        contractId: knownFailures.contractId,
        id: knownFailures.id,
        ruleKey: knownFailures.ruleKey,
        identity: knownFailures.identity,
        group: knownFailures.group,
        until: knownFailures.until,
        reason: knownFailures.reason,
        createdById: knownFailures.createdById,
      })
      .from(knownFailures)
      .where(
        and(
          isOneOfIds(knownFailures.contractId),
          isNull(knownFailures.endedAt),
          gt(knownFailures.until, sql`clock_timestamp()`),
        ),
      )
      .orderBy(desc(knownFailures.until), desc(knownFailures.id)),
  groupDb,
);

/** Those of a contract that last, the longest first. */
const lastingOf = gathered(async (contractIds: readonly number[]) => {
  const found = await lastingByContracts().execute(idsOf(contractIds));
  const byContract = Map.groupBy(found, ({ contractId }) => contractId);
  return contractIds.map((id) => byContract.get(id)?.map(({ contractId: _, ...known }) => known) ?? []);
});

async function withoutThem(
  contract: Evaluated,
  { rule, verdict }: MeasuredRule<KnownRule>,
  known: readonly KnownFailure[],
): Promise<Verdict> {
  const isAboutValues =
    verdict.withoutValues !== undefined &&
    known.length > 0 &&
    known.every(({ identity }) => identity !== null);
  if (!isAboutValues) return withoutKnown(verdict, known);
  try {
    return withoutKnown(verdict, known, await failingValuesOf(contract, rule));
  } catch (error) {
    if (!isSourceError(error)) throw error;
    const message = `Known values were not looked for, so they count: ${error.message}`;
    return { ...verdict, message: [verdict.message, message].filter(Boolean).join("\n") };
  }
}

/** The most frequent failing values of a rule. Throws SourceError. */
async function failingValuesOf(contract: Evaluated, rule: KnownRule): Promise<FoundValue[]> {
  const { column } = rule;
  const { rows } = await useDatabase(
    contract.dataSourceId,
    async (dialect, source) => {
      const statement = compileFailingValues(rule, contract, dialect, limits.knownValues);
      if (!statement) return { rows: [] };
      const size = { maxRows: limits.knownValues, maxBytes: limits.sampleBytes };
      return source.session((session) =>
        session.read(statement, { timeoutMs: limits.ruleTimeoutMs, ...size }),
      );
    },
    contract.trigger === "Manual" ? "person" : "schedule",
  );
  return rows.map(([value = null, count]) => ({
    identity: valueIdentity(column ?? "", value),
    rows: Number(count),
  }));
}

/** A failing group as a result lists it. Throws not_found, also if the rule has been changed since. */
async function groupOf(
  ruleId: number,
  { evaluationId, position }: { evaluationId: number; position: number },
) {
  const [result] = await db
    .select({ groups: ruleResults.groups })
    .from(ruleResults)
    .innerJoin(evaluations, eq(evaluations.id, ruleResults.evaluationId))
    .where(and(eq(ruleResults.ruleId, ruleId), eq(ruleResults.evaluationId, evaluationId)));
  const group = result?.groups?.worst[position];
  if (!result?.groups || group?.identity === undefined)
    throw new Problem("not_found", "Group not found. Evaluate the contract and choose a group that fails.");
  return { identity: group.identity, group: groupWords(result.groups.columns, group.values) };
}

/** A failing value as an evaluation's samples list it. Throws not_found, also if the rule has been changed since. */
async function failingValueOf(
  ruleId: number,
  { evaluationId, position }: { evaluationId: number; position: number },
) {
  const [kept] = await db
    .select({ sample: ruleSamples.sample })
    .from(ruleSamples)
    .where(and(eq(ruleSamples.ruleId, ruleId), eq(ruleSamples.evaluationId, evaluationId)));
  const byValue = kept?.sample.byValue;
  const found = byValue?.values[position];
  if (!byValue || found?.identity === undefined)
    throw new Problem("not_found", "Value not found. Evaluate the contract and choose a value that fails.");
  return {
    identity: found.identity,
    group: groupWords([{ name: byValue.column, type: "" }], [found.value]),
  };
}

const isKnownFailure = (contractId: number, id: number) =>
  and(eq(knownFailures.contractId, contractId), eq(knownFailures.id, id));

async function one(contractId: number, id: number) {
  const [found] = await load(isKnownFailure(contractId, id));
  if (!found) throw new Problem("not_found", "Known failure not found");
  return found;
}

async function load(which: SQL | undefined) {
  const rows = await db
    .select({
      id: knownFailures.id,
      ruleKey: knownFailures.ruleKey,
      ruleName: rules.name,
      group: knownFailures.group,
      until: knownFailures.until,
      reason: knownFailures.reason,
      createdById: knownFailures.createdById,
      createdAt: knownFailures.createdAt,
      endedAt: knownFailures.endedAt,
    })
    .from(knownFailures)
    .innerJoin(
      rules,
      and(eq(rules.contractId, knownFailures.contractId), eq(rules.key, knownFailures.ruleKey)),
    )
    .where(which)
    .orderBy(desc(knownFailures.until), desc(knownFailures.id))
    .limit(maxListed);
  const people = await namesOfUsers(rows.map(({ createdById }) => createdById));
  return rows.map(({ createdById, ...row }) => ({ ...row, by: nameOf(people, createdById) }));
}

const nameOf = (people: Awaited<ReturnType<typeof namesOfUsers>>, id: number) =>
  people.get(id) ?? { id, name: "a former user" };
