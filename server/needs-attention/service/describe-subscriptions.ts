import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { failedWords, stalledWords } from "../../incidents/in-words.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { failuresBeforeIncident } from "../../subscriptions/limits.ts";
import type { ConditionKind } from "../../subscriptions/schema.ts";
import { anomalies, executions, subscriptionIncidents, subscriptions } from "../../subscriptions/tables.ts";
import { cannotNotifyWords, foundWords } from "../in-words.ts";
import type { AttentionAction, Concern } from "../schema.ts";
import { type Described, idsOf, mayDoTo, type Needing } from "./described.ts";

/** How many of a subscription's latest runs are looked at to say since when it is as it is. */
const latestRuns = 50;

type Row = {
  id: number;
  owner_id: number | null;
  condition_kind: ConditionKind;
  condition_threshold: number | null;
  incident_reason: string | null;
  incident_at: string | null;
  failing_since: string | null;
  status: "Failed" | "Timeout" | null;
  error: string | null;
  rows: number | null;
  runs: number;
  since: string | null;
  is_more: boolean;
  anomaly_id: number | null;
  explanation: string | null;
};

/**
 * The runs since the last one of another result, as far back as is looked at. Three in a row open an incident, so the
 * first of a longer streak of failures is found from the incident.
 */
export async function describeSubscriptions({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db.execute<Row>(sql`
    select watched.id, watched.owner_id, watched.condition_kind, watched.condition_threshold,
      incident.reason as incident_reason, incident.opened_at as incident_at, failing.since as failing_since,
      streak.status, streak.error, streak.rows, coalesce(streak.runs, 0) as runs, streak.since,
      coalesce(streak.is_more, false) as is_more, anomaly.id as anomaly_id, anomaly.explanation
    from ${subscriptions} as watched
    left join lateral (
      select kind, reason, opened_at from ${subscriptionIncidents} as incident
      where incident.subscription_id = watched.id and incident.closed_at is null
      order by case incident.kind when 'Failing' then 1 when 'Stalled' then 2 else 3 end limit 1
    ) as incident on true
    left join lateral (
      select min(first.executed_at) as since from (
        select execution.executed_at from ${executions} as execution
        where execution.subscription_id = watched.id and execution.executed_at <= incident.opened_at
          and execution.status in ('Failed', 'Timeout')
        order by execution.executed_at desc, execution.id desc limit ${failuresBeforeIncident}
      ) as first
      where incident.kind = 'Failing'
    ) as failing on true
    left join lateral (
      select min(id) filter (where place = 1) as execution_id, min(status) filter (where place = 1) as status,
        min(error) filter (where place = 1) as error, min(row_count) filter (where place = 1) as rows,
        count(*)::int as runs, min(executed_at) as since, count(*) = ${latestRuns} as is_more
      from (
        select *, bool_and(result = first_result) over (order by place) as is_same from (
          select latest.id, latest.status::text, latest.error_message as error, latest.row_count, latest.executed_at,
            row_number() over newest as place, first_value(result) over newest as first_result, result
          from (
            select *, case when status in ('Failed', 'Timeout') then 'failed'
              when status in ('NotificationSent', 'NotificationSilenced') then 'found' else 'other' end as result
            from ${executions} as execution
            where execution.subscription_id = watched.id and execution.status <> 'Created'
            order by execution.executed_at desc, execution.id desc limit ${latestRuns}
          ) as latest
          window newest as (order by latest.executed_at desc, latest.id desc)
        ) as placed
      ) as run
      where is_same
    ) as streak on true
    left join ${anomalies} as anomaly on anomaly.execution_id = streak.execution_id and anomaly.acknowledged_at is null
    where watched.id = ${idsOf(needing)}`);
  const concerns = new Map(needing.map(({ id, concern, at }) => [id, { concern, at }]));
  const [owners, titles] = await Promise.all([
    namesOfUsers([...rows].map(({ owner_id }) => owner_id)),
    findSubscriptionTitles(needing.map(({ id }) => id)),
  ]);
  const mayRun = mayDoTo("subscriptions:run", principal, needing);
  const items = [...rows].flatMap((row): [number, Described][] => {
    const found = concerns.get(row.id);
    if (!found) return [];
    const { reason, since } = told(found.concern, row);
    const action = mayRun(row.id) ? actions[found.concern] : undefined;
    return [
      [
        row.id,
        {
          title: titles.get(row.id) ?? "",
          reason,
          since: since === null ? found.at : new Date(since),
          owner: owners.get(row.owner_id ?? 0) ?? null,
          path: `/subscriptions/${row.id}`,
          action:
            action === "Acknowledge"
              ? { kind: action, ids: row.anomaly_id === null ? [] : [row.anomaly_id] }
              : { kind: action ?? "Open", ids: [row.id] },
        },
      ],
    ];
  });
  return new Map(items);
}

const actions: Partial<Record<Concern, AttentionAction>> = {
  Failing: "RunNow",
  CouldNotRun: "RunNow",
  Stalled: "RunNow",
  Unusual: "Acknowledge",
  Found: "Silence",
};

function told(concern: Concern, row: Row): { reason: string; since: string | null } {
  switch (concern) {
    case "Stalled":
      return { reason: stalledWords(row.incident_reason ?? ""), since: row.incident_at };
    case "CannotNotify":
      return { reason: cannotNotifyWords(row.incident_reason ?? ""), since: row.incident_at };
    case "Unusual":
      return { reason: row.explanation ?? "", since: null };
    case "Found": {
      const condition = { kind: row.condition_kind, threshold: row.condition_threshold };
      const streak = { runs: row.runs, isMore: row.is_more };
      return { reason: foundWords(row.rows ?? 0, condition, streak), since: row.since };
    }
    default:
      return {
        reason: failedWords(row.status === "Timeout" ? "Timeout" : "Failed", row.error),
        since: row.failing_since ?? row.since,
      };
  }
}
