import { type Check, never } from "./check.ts";

const actions = {
  approve: "actors.approvePlan",
  reject: "actors.rejectPlan",
  "request-revision": "actors.requestRevision",
};

export const auditChecks: Check[] = [
  // Positions without gaps, and each entry either linked or still to be: kills fall between the entry and its link, too.
  never(
    "each entry of the audit log is in its chain, or noted for it",
    `select a.id, exists (select from audit_chain c where c.entry_id = a.id) as linked,
       exists (select from audit_pending p where p.entry_id = a.id) as noted from audit_log a`,
    "not linked and not noted",
  ),
  never(
    "the chain's positions have no gap, and each link continues the one before",
    `select position, lag(position) over byPosition as before, hash = sha256(
         coalesce(lag(hash) over byPosition, decode(repeat('00', 32), 'hex'))
         || convert_to(position || ' ' || entry_id || ' ' || to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ', 'utf8')
         || digest) as fits
     from audit_chain window byPosition as (order by position)`,
    "position <> coalesce(before, 0) + 1 or not fits",
  ),
  async ({ sql, ledger }) => {
    const plans = ledger.of("decidePlan").map((each) => ({
      ...{ action: actions[each.decision], objectId: each.planId, outcome: each.outcome },
    }));
    const changes = ledger.of("decideChange").map((each) => ({
      ...{ action: `approvals.${each.decision}`, objectId: each.approvalId, outcome: each.outcome },
    }));
    const done = [...plans, ...changes].filter(({ outcome }) => outcome === "done");
    const rows = await sql`
      select action, object_id, count(*)::int as count from audit_log where user_id is not null group by 1, 2`;
    const counts = new Map(rows.map((row) => [`${row.action} ${row.object_id}`, row.count]));
    return {
      what: "each decision that returned success is in the audit log once",
      looked: done.length,
      wrong: done.filter(({ action, objectId }) => counts.get(`${action} ${objectId}`) !== 1),
    };
  },
  // Whether or not it was answered: a kill between the two would leave one without the other.
  never(
    "each decided change is in the audit log once",
    `select q.id, q.kind, q.status, (select count(*) from audit_log a where a.object_id = q.id
       and a.action in ('approvals.approve', 'approvals.reject')) as entries
     from query_approvals q where q.decided_at is not null`,
    "entries <> 1",
  ),
  never(
    "each decided plan is in the audit log once",
    `select p.id, p.status, (select count(*) from audit_log a where a.object_id = p.id
       and a.object_kind = 'plan') as entries
     from plans p where p.decided_at is not null`,
    "entries <> 1",
  ),
  never(
    "manual runs have begun as often as the audit log says, or joined a running one",
    `select a.object_id, a.action, count(*) as entries,
       case a.action
         when 'subscriptions.execute' then (select count(*) from executions e
           where e.subscription_id = a.object_id and e.trigger = 'Manual')
         else (select count(*) from evaluations e
           where e.contract_id = a.object_id and e.trigger = 'Manual') end as begun
     from audit_log a where a.action in ('subscriptions.execute', 'dataQuality.evaluate', 'dataQuality.startEvaluation')
     group by 1, 2`,
    "case action when 'subscriptions.execute' then entries <> begun else entries < begun end",
  ),
  never(
    "each edit of a query by a user is in the audit log",
    `select q.id, (select count(*) from query_approvals r where r.query_id = q.id and r.kind = 'Change') as edits,
       (select count(*) from audit_log a where a.action = 'queries.update' and a.object_id = q.id) as entries
     from queries q where q.owner_actor_id is null`,
    "edits > entries",
  ),
  never(
    "each action of a plan that was done is in the audit log once",
    `select a.id, a.proposed ->> 'kind' as kind, a.result ->> 'queryId' as query,
       (select count(*) from audit_log l where l.action = 'actors.runCreateQuery'
         and l.object_id = (a.result ->> 'queryId')::int) as entries
     from actor_actions a where a.status = 'Succeeded' and a.proposed ->> 'kind' = 'CreateQuery'`,
    "entries <> 1",
  ),
];
