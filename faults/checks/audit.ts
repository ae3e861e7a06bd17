import type { Check } from "./check.ts";

const actions = {
  approve: "actors.approvePlan",
  reject: "actors.rejectPlan",
  "request-revision": "actors.requestRevision",
};

export const auditChecks: Check[] = [
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
      what: "each decision that was answered with success stands in the audit log once",
      looked: done.length,
      wrong: done.filter(({ action, objectId }) => counts.get(`${action} ${objectId}`) !== 1),
    };
  },
];
