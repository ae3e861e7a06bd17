import { and, asc, count, desc, eq, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import type { Target } from "../compile.ts";
import { evaluations, ruleScores } from "../evaluations/tables.ts";
import { ruleDefinition } from "../rules/rules.ts";
import { type Learning, type UsualRange, usualThen } from "../rules/usual.ts";
import { rules } from "../tables.ts";
import { getContractTarget } from "./load-contracts.ts";
import { type LearningRule, learningOf, usualHistory } from "./usual-history.ts";

type Wanted = { id: number; take: number; from?: Date | undefined; to?: Date | undefined };

/** The maximum number of evaluations read, newest first: a year of hourly ones, a week of one per minute. */
const maxEvaluations = 10_000;
/** The maximum number of points in total; a contract with very many rules gets fewer per rule. */
const maxPoints = 25_000;
const maxSeries = 400;

/**
 * The score over time of a contract and of each rule by key, including former rules. If there are more evaluations than
 * points, consecutive ones share a point, which shows the worst measured one. Throws like `getContract`.
 */
export async function getSeries(ctx: SignedIn, { id, take, from, to }: Wanted) {
  const { timezone, ...target } = await getContractTarget(ctx, id);
  const latest = db
    .select({
      id: evaluations.id,
      evaluatedAt: evaluations.evaluatedAt,
      overallScore: evaluations.overallScore,
      couldNotEvaluate: sql<boolean>`${evaluations.notEvaluatedBecause} is not null`.as("could_not_evaluate"),
    })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.contractId, id),
        eq(evaluations.status, "Completed"),
        from && sql`${evaluations.evaluatedAt} >= ${from.toISOString()}`,
        to && sql`${evaluations.evaluatedAt} < ${to.toISOString()}`,
      ),
    )
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    // Without a start, returns the latest ones individually.
    .limit(from ? maxEvaluations : take)
    .as("latest");
  const [size] = await db.select({ evaluations: count() }).from(latest);
  const total = size?.evaluations ?? 0;

  const [current, known] = await Promise.all([
    db
      .select({ key: rules.key, name: rules.name, type: rules.type, configuration: rules.configuration })
      .from(rules)
      .where(eq(rules.contractId, id))
      .orderBy(asc(rules.position)),
    db
      .selectDistinct({ key: ruleScores.key })
      .from(ruleScores)
      .innerJoin(latest, eq(latest.id, ruleScores.evaluationId)),
  ]);
  const buckets = Math.max(1, Math.min(take, Math.floor(maxPoints / Math.max(1, known.length))));
  const bucketed = db
    .select({
      id: latest.id,
      evaluatedAt: latest.evaluatedAt,
      overallScore: latest.overallScore,
      couldNotEvaluate: latest.couldNotEvaluate,
      bucket: sql<number>`ntile(${buckets}::int) over (order by ${latest.evaluatedAt}, ${latest.id})`.as(
        "bucket",
      ),
    })
    .from(latest)
    .as("bucketed");

  const [points, scores] = await Promise.all([
    db
      .selectDistinctOn([bucketed.bucket], {
        evaluationId: bucketed.id,
        evaluatedAt: sql<Date>`${bucketed.evaluatedAt}`.mapWith(evaluations.evaluatedAt),
        overallScore: sql<number>`${bucketed.overallScore}`.mapWith(Number),
        couldNotEvaluate: bucketed.couldNotEvaluate,
      })
      .from(bucketed)
      .orderBy(
        bucketed.bucket,
        asc(bucketed.couldNotEvaluate),
        asc(bucketed.overallScore),
        desc(bucketed.evaluatedAt),
      ),
    db
      .selectDistinctOn([ruleScores.key, bucketed.bucket], {
        key: ruleScores.key,
        name: ruleScores.name,
        type: ruleScores.type,
        evaluationId: ruleScores.evaluationId,
        evaluatedAt: ruleScores.evaluatedAt,
        score: ruleScores.score,
        passed: ruleScores.passed,
        measured: ruleScores.measured,
      })
      .from(bucketed)
      .innerJoin(ruleScores, eq(ruleScores.evaluationId, bucketed.id))
      .orderBy(ruleScores.key, bucketed.bucket, asc(ruleScores.score), desc(ruleScores.evaluatedAt)),
  ]);
  const usual = new Map<string, ReadonlyMap<number, UsualRange | null>>();
  for (const rule of current) {
    const learning = learningOf(rule, timezone);
    if (learning) usual.set(rule.key, await rangesOf(id, rule, target, learning));
  }
  const byTime = (a: { evaluatedAt: Date }, b: { evaluatedAt: Date }) =>
    a.evaluatedAt.getTime() - b.evaluatedAt.getTime();
  const grouped = Map.groupBy(scores, ({ key }) => key);
  const currentKeys = current.map(({ key }) => key);
  // The contract's current rules in order, then its former ones, most recent first.
  const latestOf = (key: string) => grouped.get(key)?.toSorted(byTime).at(-1)?.evaluatedAt.getTime() ?? 0;
  const former = [...grouped.keys()].filter((key) => !currentKeys.includes(key));
  const keys = [...currentKeys, ...former.toSorted((a, b) => latestOf(b) - latestOf(a))];
  return {
    evaluations: total,
    isDownsampled: total > buckets,
    points: points.toSorted(byTime),
    rules: keys.slice(0, maxSeries).flatMap((key) => {
      const own = (grouped.get(key) ?? []).toSorted(byTime);
      const rule = current.find((each) => each.key === key) ?? own.at(-1);
      if (!rule) return [];
      const { name, type } = rule;
      return {
        ...{ key, name, type },
        unit: ruleDefinition(type).unit,
        isCurrent: currentKeys.includes(key),
        points: own.map(({ evaluationId, evaluatedAt, score, passed, measured, ...then }) => ({
          ...{ evaluationId, evaluatedAt, score, passed },
          // Measurements under this key by a rule of another type are not comparable.
          measured: then.type === type ? measured : null,
          usual: usual.get(key)?.get(evaluationId) ?? null,
        })),
      };
    }),
  };
}

/** What was usual at each evaluation, by its id; null while there were too few before it. */
async function rangesOf(
  contractId: number,
  rule: LearningRule,
  target: Target & { dataSourceId: number },
  learning: Learning,
): Promise<ReadonlyMap<number, UsualRange | null>> {
  const past = await usualHistory(contractId, rule, target);
  return new Map(usualThen(past, learning).map(({ point, range }) => [point.evaluationId, range]));
}
