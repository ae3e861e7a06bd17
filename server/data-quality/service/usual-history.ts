import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { MeasurableRule, Target } from "../compile.ts";
import { evaluations, ruleScores } from "../evaluations/tables.ts";
import { ruleDefinition } from "../rules/rules.ts";
import type { Learning, PastMeasurement } from "../rules/usual.ts";
import { contracts, contractVersions, knownFailures, rules } from "../tables.ts";

/** How far back what is usual is learned from, and from how many measurements. */
const limits = { days: 400, measurements: 3000 };

/** A rule by its key, which it keeps through edits, and the table that it is about. */
export type LearningRule = MeasurableRule & { key?: string | null | undefined };
export type Measured = PastMeasurement & { evaluationId: number; passed: boolean };

/** How a rule learns; null for one that does not. */
export function learningOf({ type, configuration }: MeasurableRule, timezone: string): Learning | null {
  const definition = ruleDefinition(type);
  if (!("usual" in definition) || !definition.usual || (configuration.usual ?? null) === null) return null;
  return { usual: definition.usual, configuration, timezone };
}

/**
 * What a rule of a contract has measured so far, oldest first: as long as it measured the same, of the same table, and
 * without what was marked as known.
 */
export async function usualHistory(
  contractId: number,
  rule: LearningRule,
  target: Target & { dataSourceId: number },
): Promise<Measured[]> {
  if (!rule.key) return [];
  const isKnown = db
    .select({ one: sql`1` })
    .from(knownFailures)
    .where(
      and(
        eq(knownFailures.contractId, contractId),
        eq(knownFailures.ruleKey, rule.key),
        isNull(knownFailures.identity),
        sql`${ruleScores.evaluatedAt} between ${knownFailures.createdAt} and coalesce(${knownFailures.endedAt}, ${knownFailures.until})`,
      ),
    );
  const found = await db
    .select({
      evaluationId: ruleScores.evaluationId,
      at: ruleScores.evaluatedAt,
      value: sql<number>`${ruleScores.measured}`.mapWith(Number),
      passed: ruleScores.passed,
      version: evaluations.version,
    })
    .from(ruleScores)
    .innerJoin(evaluations, eq(evaluations.id, ruleScores.evaluationId))
    .where(
      and(
        eq(ruleScores.contractId, contractId),
        eq(ruleScores.key, rule.key),
        eq(ruleScores.type, rule.type),
        isNotNull(ruleScores.measured),
        eq(evaluations.dataSourceId, target.dataSourceId),
        eq(evaluations.schemaName, target.schemaName),
        eq(evaluations.tableName, target.tableName),
        sql`${ruleScores.evaluatedAt} > clock_timestamp() - make_interval(days => ${limits.days})`,
        sql`not exists ${isKnown}`,
      ),
    )
    .orderBy(desc(ruleScores.evaluatedAt), desc(ruleScores.evaluationId))
    .limit(limits.measurements);
  const same = await versionsThatMeasure(contractId, rule, [...new Set(found.map(({ version }) => version))]);
  return found
    .filter(({ version }) => version === null || same.has(version))
    .map(({ version: _, ...measured }) => measured)
    .reverse();
}

/** The contract's versions in which the rule measured what it measures now. */
async function versionsThatMeasure(
  contractId: number,
  rule: LearningRule,
  numbers: readonly (number | null)[],
): Promise<Set<number>> {
  const wanted = numbers.filter((number) => number !== null);
  if (wanted.length === 0) return new Set();
  const versions = await db
    .select({ number: contractVersions.number, content: contractVersions.content })
    .from(contractVersions)
    .where(and(eq(contractVersions.contractId, contractId), inArray(contractVersions.number, wanted)))
    .orderBy(asc(contractVersions.number));
  const now = measureOf(rule);
  return new Set(
    versions.flatMap(({ number, content }) => {
      const then = content.rules.find(({ key }) => key === rule.key);
      return then && measureOf(then) === now ? number : [];
    }),
  );
}

/** The same for rules that measure the same, whatever they allow. */
function measureOf({ type, configuration }: MeasurableRule): string {
  const definition = ruleDefinition(type);
  const bounds = "usual" in definition && definition.usual ? Object.keys(definition.usual.unbounded) : [];
  const others = Object.entries(configuration).filter(
    ([key, value]) => value != null && ![...bounds, "usual", "usualWidth"].includes(key),
  );
  return JSON.stringify([type, others.sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** The contract of a rule that is stored already, and its zone; null for a new rule. */
export async function contractOfRule(dataSourceId: number, key: string | null | undefined) {
  if (!key) return null;
  const [found] = await db
    .select({ id: contracts.id, timezone: contracts.timezone })
    .from(rules)
    .innerJoin(contracts, eq(contracts.id, rules.contractId))
    .where(and(eq(rules.key, key), eq(contracts.dataSourceId, dataSourceId), isNull(contracts.archivedAt)));
  return found ?? null;
}
