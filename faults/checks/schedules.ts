import { type Check, never } from "./check.ts";

/** Every scheduled time was handled exactly once: none is missing, none was handled twice. */

const scheduled = [
  {
    ...{
      kind: "contract",
      table: "contracts",
      runs: "evaluations",
      owner: "contract_id",
      called: "evaluation",
    },
    held: "false",
  },
  {
    kind: "subscription",
    table: "subscriptions",
    runs: "executions",
    owner: "subscription_id",
    called: "execution",
    // While the first run of its query waits for an Admin, or was rejected by one, a subscription's times are skipped.
    held: `exists (select from subscriptions s join query_approvals a on a.query_id = s.query_id
      where s.id = o.object_id and a.kind = 'FirstRun'
        and (a.status <> 'Approved' or a.decided_at > o.created_at))`,
  },
];

export const scheduleChecks: Check[] = scheduled.flatMap(({ kind, table, runs, owner, called, held }) => [
  never(
    `each scheduled time of a ${kind} has exactly one ${called}`,
    `select o.object_id, o.scheduled_for, o.claimed_by,
       (select count(*) from ${runs} r where r.${owner} = o.object_id and r.scheduled_for = o.scheduled_for) as runs
     from occurrences o where o.kind = '${kind}' and not ${held}`,
    "runs <> 1",
  ),
  never(
    `each scheduled ${called} belongs to a scheduled time`,
    `select r.id, exists (select from occurrences o
       where o.kind = '${kind}' and o.object_id = r.${owner} and o.scheduled_for = r.scheduled_for) as is_of_one
     from ${runs} r where r.scheduled_for is not null`,
    "not is_of_one",
  ),
  // A claim advances the schedule to the first minute after the claim: that must be the next scheduled time.
  never(
    `no scheduled time of a ${kind} was skipped`,
    `select o.object_id, o.scheduled_for, o.created_at,
       lead(o.scheduled_for, 1, s.next_run_at) over (partition by o.object_id order by o.created_at, o.scheduled_for) as next
     from occurrences o join ${table} s on s.id = o.object_id
     where o.kind = '${kind}' and s.cron_expression = '* * * * *'`,
    "next is distinct from date_trunc('minute', created_at) + interval '1 minute'",
  ),
]);
