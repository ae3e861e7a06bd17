import { type Check, never } from "./check.ts";

const runsOf = "(select count(*) from actor_executions r where r.run_plan_id = p.id)";
const statusAfter = {
  approve: ["Executed"],
  reject: ["Rejected"],
  "request-revision": ["RevisionRequested"],
};

export const planChecks: Check[] = [
  async ({ sql, ledger }) => {
    const names = ledger.of("createActor");
    const rows = await sql`select name, count(*)::int as count from actors group by 1`;
    const counts = new Map(rows.map(({ name, count }) => [name, count]));
    return {
      what: "each created actor exists once",
      looked: names.length,
      wrong: names.filter(({ name, outcome }) => {
        const count = counts.get(name) ?? 0;
        return outcome === "done" ? count !== 1 : count > (outcome === "unknown" ? 1 : 0);
      }),
    };
  },
  async ({ sql, ledger }) => {
    const asked = ledger.of("think").filter(({ outcome }) => outcome === "done");
    const ids = asked.map(({ id }) => id ?? 0);
    const rows = await sql`
      select id from actor_executions where id = any(${ids}) and phase in ('Completed', 'Failed')`;
    const ended = new Set(rows.map(({ id }) => id));
    return {
      what: "each think cycle that returned 202 has ended",
      looked: asked.length,
      wrong: asked.filter(({ id }) => !ended.has(id)),
    };
  },
  async ({ sql, ledger }) => {
    const done = ledger.of("decidePlan").filter(({ outcome }) => outcome === "done");
    const rows = await sql`
      select p.id, p.status, p.decided_at, r.phase, r.error from plans p
      left join actor_executions r on r.run_plan_id = p.id`;
    const plans = new Map(rows.map((row) => [row.id, row]));
    return {
      what: "each decision about a plan that returned success holds, and is the only one",
      looked: done.length,
      wrong: done.filter(({ planId, decision }) => {
        const plan = plans.get(planId);
        const isGivenUp =
          decision === "approve" && wasInterrupted(plan?.error) && plan?.status === "Rejected";
        const holds = statusAfter[decision].includes(plan?.status) || isGivenUp;
        const others = done.filter((each) => each.planId === planId).length;
        return !holds || !plan?.decided_at || others > 1;
      }),
    };
  },
  async ({ sql, ledger }) => {
    const rows = await sql`select id, status from plans where decided_at is not null`;
    const asked = new Set(
      ledger
        .of("decidePlan")
        .filter(({ outcome }) => outcome !== "rejected")
        .map(({ planId }) => planId),
    );
    return {
      what: "each decided plan had a request to decide it",
      looked: rows.length,
      wrong: rows.filter(({ id }) => !asked.has(id)),
    };
  },
  never(
    "a plan runs once if it was approved, and otherwise never",
    `select p.id, p.status, ${runsOf} as runs, (select r.error from actor_executions r where r.run_plan_id = p.id) as error
     from plans p`,
    `runs <> (status in ('Executing', 'Executed'))::int
      and not (status = 'Rejected' and runs = 1 and error is not null)`,
  ),
  never(
    "each action of a plan that ran was done or has failed, and no action of any other plan was run",
    `select a.id, a.status, p.status as plan from actor_actions a join plans p on p.id = a.plan_id
     where not exists (select from actor_executions r where r.run_plan_id = p.id and r.phase = 'Failed')`,
    "(status = 'Proposed') = (plan = 'Executed')",
  ),
  never(
    "each action that created a query created one, and each query of an actor was created by one action",
    `select a.id, q.id as query, a.proposed ->> 'name' as proposed, q.name,
       count(*) over (partition by coalesce(q.id, -a.id)) as actions
     from (select * from actor_actions where status = 'Succeeded' and proposed ->> 'kind' = 'CreateQuery') a
     full join (select * from queries where owner_actor_id is not null) q on q.id = (a.result ->> 'queryId')::int`,
    "id is null or query is null or proposed <> name or actions <> 1",
  ),
  never(
    "each action that created a subscription created one, and each subscription of an actor was created by one action",
    `select a.id, s.id as subscription, count(*) over (partition by coalesce(s.id, -a.id)) as actions
     from (select * from actor_actions where status = 'Succeeded' and proposed ->> 'kind' = 'CreateSubscription') a
     full join (select * from subscriptions where ai_actor_id is not null) s on s.id = (a.result ->> 'subscriptionId')::int`,
    "id is null or subscription is null or actions <> 1",
  ),
  never(
    "each executed plan is mentioned once in its actor's conversation",
    `select p.id, (select count(*) from actor_messages m
       where m.actor_id = p.actor_id and m.text like 'Plan ' || p.id || ' was executed: %') as said
     from plans p where p.status = 'Executed'`,
    "said <> 1",
  ),
  never(
    "a plan that was sent back has one next version, unless its think cycle failed or another plan came first",
    `select p.id, (select count(*) from actor_executions c where c.revised_plan_id = p.id) as cycles,
       (select c.error from actor_executions c where c.revised_plan_id = p.id limit 1) as error,
       (select count(*) from plans n where n.parent_plan_id = p.id and n.version = p.version + 1) as next
     from plans p where p.status = 'RevisionRequested'`,
    "cycles <> 1 or (next <> 1 and error is null)",
  ),
  never(
    "each actor has at most one pending plan",
    "select actor_id, count(*) filter (where status = 'PendingApproval') as waiting from plans group by 1",
    "waiting > 1",
  ),
  never(
    "each think cycle has succeeded, or was given up after three interruptions",
    "select id, trigger, error from actor_executions where kind = 'ThinkCycle'",
    "error is not null and error not like '%was interrupted 3 times'",
  ),
  never(
    "an execution of an actor's subscription wakes the actor once, and is covered by a think cycle",
    `select e.id, e.subscription_id, a.id as actor, w.cycle_id
     from executions e join subscriptions s on s.id = e.subscription_id join actors a on a.id = s.ai_actor_id
     left join actor_wakes w on w.actor_id = a.id and w.execution_id = e.id
     where e.status <> 'Created' and a.status = 'Active'
       and not exists (select from actor_executions f where f.actor_id = a.id and f.phase = 'Failed')`,
    "cycle_id is null",
  ),
];

const wasInterrupted = (error: unknown) => /was interrupted 3 times$/.test(String(error));
