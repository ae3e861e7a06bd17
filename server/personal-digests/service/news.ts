import { sql } from "drizzle-orm";
import type { Principal } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { trendOf } from "../../data-quality/trend.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { shownFrom } from "../../findings/judge.ts";
import { findings } from "../../findings/tables.ts";
import { incidents } from "../../incidents/tables.ts";
import { listAttention } from "../../needs-attention/service/list-attention.ts";
import { tasks } from "../../tasks/tables.ts";
import type { News } from "../digest.ts";

/** More than these are counted as if they were not there: who has so many needs no mail to know. */
const maxItems = 500;

/** What needs attention, and what changed since, as the person sees it. */
export async function newsOf(principal: Principal, since: Date): Promise<News> {
  const ctx = { principal, requestId: "", address: "" };
  const [attention, solved, scores, [counts]] = await Promise.all([
    listAttention(ctx, { page: 0, pageSize: maxItems }),
    solvedIncidents(principal, since),
    movedScores(principal, since),
    db.execute<{ findings: number; tasks: number }>(sql`
      select
        (select count(*)::int from ${findings} join ${dataSources} on ${dataSources.id} = ${findings.dataSourceId}
          where ${findings.status} = 'Open' and ${findings.confidence} >= ${shownFrom} and ${findings.firstSeenAt} >= ${since.toISOString()}
            and ${inVisibleProject(principal, dataSources.projectId) ?? sql`true`}) as findings,
        (select count(*)::int from ${tasks}
          where ${tasks.status} = 'Resolved' and ${tasks.resolvedAt} >= ${since.toISOString()}
            and ${inVisibleProject(principal, tasks.projectId) ?? sql`true`}) as tasks`),
  ]);
  return {
    since,
    items: attention.items.filter(({ kind }) => kind !== "Findings"),
    newFindings: counts?.findings ?? 0,
    solved,
    solvedTasks: counts?.tasks ?? 0,
    scores,
  };
}

async function solvedIncidents(principal: Principal, since: Date) {
  return db
    .select({ id: incidents.id, title: incidents.title })
    .from(incidents)
    .where(
      sql`${incidents.resolvedAt} >= ${since.toISOString()} and ${inVisibleProject(principal, incidents.projectId) ?? sql`true`}`,
    )
    .orderBy(incidents.severity, incidents.resolvedAt);
}

/** Contracts whose latest score is more than a point away from the last one before, the largest change first. */
async function movedScores(principal: Principal, since: Date) {
  const latestScore = (when: ReturnType<typeof sql>) => sql`
    select evaluation.overall_score as score, evaluation.evaluated_at as at from ${evaluations} as evaluation
    where evaluation.contract_id = contract.id and evaluation.overall_score is not null
      and evaluation.not_evaluated_because is null and ${when}
    order by evaluation.evaluated_at desc, evaluation.id desc limit 1`;
  const rows = await db.execute<{ id: number; name: string; before: string; now: string }>(sql`
    select contract.id, contract.name, former.score as before, latest.score as now
    from ${contracts} as contract join ${dataSources} on ${dataSources.id} = contract.data_source_id
    cross join lateral (${latestScore(sql`evaluation.evaluated_at is not null`)}) as latest
    cross join lateral (${latestScore(sql`evaluation.evaluated_at < ${since.toISOString()}`)}) as former
    where contract.archived_at is null and contract.enabled and latest.at >= ${since.toISOString()}
      and latest.score <> former.score and ${inVisibleProject(principal, dataSources.projectId) ?? sql`true`}`);
  return [...rows]
    .map(({ id, name, before, now }) => ({ id, name, before: Number(before), now: Number(now) }))
    .filter(({ before, now }) => trendOf(now, before) !== "Stable")
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || a.id - b.id);
}
