import { admin } from "../../e2e/service.ts";
import { recordAsSystem } from "../../server/audit/service.ts";
import { createFirstAdmin } from "../../server/auth/first-admin.ts";
import { closeDatabase, sql } from "../../server/db/client.ts";
import { readSettings } from "../../server/env.ts";
import { aContract, aRule } from "../../server/test/factories/contracts.ts";
import { aDataSource } from "../../server/test/factories/data-sources.ts";
import { aRecipient } from "../../server/test/factories/notifications.ts";
import { aQuery } from "../../server/test/factories/queries.ts";
import { aSubscription } from "../../server/test/factories/subscriptions.ts";

type Source = { id: number; projectId: number };

/** What becomes due in a storm, and how its runs are stored. Import this after setting DATABASE_URL. */
export type Subject = {
  /** The table of what is due, and what one of its runs is called. */
  table: "contracts" | "subscriptions";
  run: "evaluation" | "execution";
  /** The table of its runs, with the columns for what it is a run of, its start, and its end. */
  runs: { table: string; of: string; startedAt: string; endedAt: string };
  /** What its runs leave elsewhere, and nobody needs between two storms. */
  traces: readonly string[];
  /** Fills in what has been forgotten, and runs need; a statement. */
  remember?: string;
  /** The statement that a run sends to its data source, without names of rules. */
  statement: string;
  /** The routes of one: to read it, and to run it by hand. */
  path: string;
  action: string;
  /**
   * Creates identical ones on these data sources, none of them due; and one more on the first, which a person runs by hand.
   * Returns the latter's id.
   */
  make(dataSources: readonly Source[], count: number): Promise<number>;
};

/** How many executions each subscription had in the last 29 days, by which the next one is judged: of 30 or more. */
const judgedBy = Number(process.env.JUDGED_BY ?? 0);
const method = process.env.METHOD === "Learned" ? "Learned" : "StandardDeviation";

/** Whether each run finds something, which opens a task and is told to a recipient, instead of nothing. */
export const finds = process.env.FIND === "on";

const past = `
  insert into executions (subscription_id, status, trigger, executed_at, finished_at, row_count, execution_time_ms, query_version)
  select id, 'NoResults', 'Manual', at, at, 0, 5, 1
  from subscriptions cross join generate_series(1, ${judgedBy}) as n,
    lateral (select now() - n * interval '29 days' / ${judgedBy || 1} as at) as run`;

/** What is kept of problems that someone was told about. */
const tellTales = ["tasks", "notifications", "incidents"];

export const subjects: Record<"contracts" | "subscriptions", Subject> = {
  contracts: {
    table: "contracts",
    run: "evaluation",
    runs: { table: "evaluations", of: "contract_id", startedAt: "started_at", endedAt: "evaluated_at" },
    traces: [
      ...["rule_results", "rule_scores", "rule_samples", "sample_requests", "table_scores"],
      ...["contract_alerts", ...tellTales],
    ],
    statement: `select count(*) as total_0, count(*) - count("customer") as nulls_1, count(*) as total_1
      from "public"."orders"`,
    path: "/data-quality/contracts",
    action: "evaluate",
    make: makeContracts,
  },
  subscriptions: {
    table: "subscriptions",
    run: "execution",
    runs: {
      table: "executions",
      of: "subscription_id",
      startedAt: "executed_at",
      endedAt: "finished_at",
    },
    traces: ["execution_rows", "subscription_day", "anomalies", ...tellTales],
    ...(judgedBy > 0 && { remember: past }),
    statement: `select id, customer from orders where customer > ${finds ? 5 : 6}`,
    path: "/subscriptions",
    action: "execute",
    make: makeSubscriptions,
  },
};

/**
 * Makes so many of each subject, on so many data sources with the same database, each in a project of its own. What is
 * found is told to the webhook `tell`, an address. Returns the ids of those to run by hand, in the
 * order of the subjects.
 */
export async function makeSubjects(
  chosen: readonly Subject[],
  { watched, count, sources, tell }: { watched: string; count: number; sources: number; tell?: string },
): Promise<number[]> {
  const settings = readSettings({
    ...process.env,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  await createFirstAdmin(settings, { demo: false, record: (change) => recordAsSystem(change) });
  const { hostname, port, username, password, pathname } = new URL(watched);
  const connection = {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  };
  const dataSources: Source[] = [];
  for (let n = 0; n < sources; n++) {
    const { id, projectId } = await aDataSource({ name: `Source ${n}`, connection });
    dataSources.push({ id, projectId });
    if (tell) await aRecipient({ projectId, type: "Webhook", destination: tell });
  }
  const byHand: number[] = [];
  for (const { make } of chosen) byHand.push(await make(dataSources, count));
  await sql`analyze`;
  await closeDatabase();
  return byHand;
}

/** With two cheap rules on a small table. */
async function makeContracts(dataSources: readonly Source[], count: number): Promise<number> {
  const ids = dataSources.map(({ id }) => id);
  const clicked = await aContract({
    name: "By hand",
    dataSourceId: ids[0] ?? 0,
    ...{ enabled: false, createTasks: finds },
    rules: [
      aRule("Volume", { minRows: finds ? 5000 : 1 }),
      aRule("NullRate", { column: "customer", maxNullPercent: 50 }),
    ],
  });
  await sql`
    insert into contracts (data_source_id, name, schema_name, table_name, cron_expression, create_tasks)
    select (${ids}::int[])[1 + i % ${ids.length}], 'Contract ' || i, 'public', 'orders', '0 6 * * *', ${finds}
    from generate_series(1, ${count}::int) as i`;
  await sql`
    insert into rules (contract_id, key, position, name, type, "column", severity, weight, enabled, configuration)
    select c.id, gen_random_uuid(), r.position, r.name, r.type, r."column", r.severity, r.weight, true, r.configuration
    from contracts c cross join rules r where r.contract_id = ${clicked.id} and c.id <> r.contract_id`;
  await sql`
    insert into contract_recipients (contract_id, recipient_id)
    select c.id, r.id from contracts c join data_sources d on d.id = c.data_source_id
    join recipients r on r.project_id = d.project_id where c.id <> ${clicked.id}`;
  return clicked.id;
}

/** Of one query for each data source. Without a next run, they would be told as stalled. */
async function makeSubscriptions(dataSources: readonly Source[], count: number): Promise<number> {
  const queryIds: number[] = [];
  for (const [n, dataSource] of dataSources.entries())
    queryIds.push(
      (await aQuery({ name: `Query ${n}`, dataSource, sql: subjects.subscriptions.statement })).id,
    );
  const clicked = await aSubscription({
    ...{ queryId: queryIds[0] ?? 0, enabled: false, createTasks: finds },
    ...(judgedBy > 0 && { anomalyDetection: { enabled: true, method } }),
  });
  await sql`
    insert into subscriptions (query_id, project_id, cron_expression, timezone, enabled, parameters, timeout_seconds,
      condition_kind, condition_threshold, create_tasks, anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric,
      next_run_at)
    select (${queryIds}::int[])[1 + i % ${queryIds.length}], project_id, cron_expression, timezone, true, parameters,
      timeout_seconds, condition_kind, condition_threshold, create_tasks, anomaly_enabled, anomaly_method,
      anomaly_sensitivity, anomaly_metric, now() + interval '1 day'
    from subscriptions cross join generate_series(1, ${count}::int) as i where id = ${clicked.id}`;
  await sql`
    insert into subscription_recipients (subscription_id, recipient_id)
    select s.id, r.id from subscriptions s join recipients r using (project_id) where s.id <> ${clicked.id}`;
  // As if each had run before.
  await sql`insert into subscription_state (subscription_id) select id from subscriptions where id <> ${clicked.id}`;
  return clicked.id;
}
