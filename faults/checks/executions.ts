import { type Check, never } from "./check.ts";

const ok = "status in ('NotificationSent', 'NoResults', 'NotificationSilenced')";

export const executionChecks: Check[] = [
  async ({ sql, ledger }) => {
    const asked = ledger.of("execute").filter(({ outcome }) => outcome === "done");
    const rows = await sql`
      select id from executions where id = any(${asked.map(({ id }) => id ?? 0)}) and status <> 'Created'`;
    const ended = new Set(rows.map(({ id }) => id));
    const seen = new Set<number | null>();
    return {
      what: "each execution that returned 202 has ended once",
      looked: asked.length,
      wrong: asked.filter(({ id }) => {
        const isDoubled = seen.has(id);
        seen.add(id);
        return isDoubled || !ended.has(id);
      }),
    };
  },
  async ({ sql, ledger }) => {
    const rows = await sql`
      select subscription_id, count(*)::int as count from executions where trigger = 'Manual' group by 1`;
    return {
      what: "no subscription has more manual executions than were requested",
      looked: rows.reduce((sum, { count }) => sum + count, 0),
      wrong: rows.filter(({ subscription_id, count }) => {
        const asked = ledger.of("execute").filter((each) => each.subscriptionId === subscription_id);
        return count > asked.filter(({ outcome }) => outcome !== "rejected").length;
      }),
    };
  },
  never(
    "Control Tower counts each execution that has run once",
    `select s.id, coalesce(t.total, 0) as total, coalesce(t.ok, 0) as ok,
       (select count(*) from executions e where e.subscription_id = s.id) as ran,
       (select count(*) from executions e where e.subscription_id = s.id and ${ok}) as ran_well,
       t.last_execution_id, (select e.id from executions e where e.subscription_id = s.id
         order by e.executed_at desc, e.id desc limit 1) as latest
     from subscriptions s left join subscription_state t on t.subscription_id = s.id`,
    "total <> ran or ok <> ran_well or last_execution_id is distinct from latest",
  ),
  never(
    "each execution that opens or updates a task is counted there once",
    `select s.id, (select coalesce(sum(t.execution_count), 0) from tasks t where t.subscription_id = s.id) as counted,
       (select count(*) from executions e where e.subscription_id = s.id and e.status = 'NotificationSent') as found
     from subscriptions s where s.create_tasks`,
    "counted <> found",
  ),
];
