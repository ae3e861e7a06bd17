import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { scratch } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { rebuildCounters } from "../server/subscriptions/service/counters.ts";
import { buildHistory } from "./control-tower/history.ts";
import { openService } from "./control-tower/service.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import { median, percentile, type Say, timed } from "./measure.ts";

/**
 * Measures a page of each list at size, over REST: 10,000 subscriptions, 20,000 tasks, 100,000 deliveries, and 2,000
 * contracts with 20 evaluations each; by its default order, another one, and a search.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. ROUNDS (15) is how often each
 * page is requested.
 */
const size = { subscriptions: 10_000, executions: 200_000, tasks: 20_000, anomalies: 1_000 };
const rounds = Number(process.env.ROUNDS ?? 15);

const pages = {
  "subscriptions, worst first": "/subscriptions?sortBy=Attention&pageSize=50",
  "subscriptions by next run": "/subscriptions?sortBy=NextRun&pageSize=50",
  "subscriptions, search": "/subscriptions?sortBy=Name&search=query%2099&pageSize=50",
  "subscriptions, 500 at once": "/subscriptions?sortBy=Attention&pageSize=500",
  "open tasks, most urgent": "/tasks?status=Open&pageSize=50",
  "all tasks by rows": "/tasks?sortBy=Rows&pageSize=50",
  "tasks, search": "/tasks?search=query%2099&pageSize=50",
  deliveries: "/notifications?pageSize=50",
  "deliveries, page 1,000": "/notifications?pageSize=50&page=1000",
  "failing deliveries": "/notifications?failing=true&pageSize=50",
  "deliveries by recipient": "/notifications?sortBy=Recipient&pageSize=50",
  "deliveries by attempts": "/notifications?sortBy=Attempts&pageSize=50",
  "deliveries, search": "/notifications?search=query%2099&pageSize=50",
  contracts: "/data-quality/contract-search?pageSize=50",
  "contracts below": "/data-quality/contract-search?state=Below&pageSize=50",
  "contracts by score": "/data-quality/contract-search?sortBy=Score&pageSize=50",
  "contracts, search": "/data-quality/contract-search?search=table%2099&pageSize=50",
  queries: "/queries?pageSize=50",
  "queries, search": "/queries?search=query%2099&pageSize=50",
};

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-lists");
  const own = await emptyDatabase(server.adminUrl, "plumbline_bench_lists");
  await migrateDatabase(own);
  const client = postgres(own, { max: 1, onnotice: () => {} });
  // The service's own client reads it when it is loaded.
  process.env.DATABASE_URL = own;
  try {
    await buildHistory(client, size);
    await addDeliveries(client);
    await addContracts(client);
    const { db } = await import("../server/db/client.ts");
    await db.transaction(rebuildCounters);
    await client`vacuum analyze`;
    const service = await openService(own, join(scratch, "bench-lists-data"));
    try {
      say(`Milliseconds per page, ${rounds} requests: median, and 95 of 100 within`);
      for (const [name, path] of Object.entries(pages)) {
        await service.get(path);
        const figures: number[] = [];
        for (let round = 0; round < rounds; round += 1) figures.push(await timed(() => service.get(path)));
        const [half, most] = [median(figures), percentile(figures, 0.95)];
        say(`  ${name.padEnd(28)} ${half.toFixed(0).padStart(5)} ${most.toFixed(0).padStart(5)}`);
      }
    } finally {
      await service.close();
    }
  } finally {
    await client.end();
    await (await import("../server/db/client.ts")).closeDatabase();
    await server.stop();
  }
}

/** 100,000 messages about executions, each to one of 40 recipients; every fiftieth has failed. */
async function addDeliveries(sql: Sql): Promise<void> {
  await sql`
    insert into recipients (project_id, name, type, destination)
    select 1, 'Team ' || i, 'Email', 'team' || i || '@example.com' from generate_series(1, 40) as i`;
  await sql`
    insert into notifications (project_id, cause_kind, cause_id, subject, content)
    select 1, 'Execution', i, 'Query ' || i % 10000 || ' found ' || i % 100 || ' rows',
      '{"title": "Rows", "tone": "Warning", "summary": "Rows", "facts": []}'
    from generate_series(1, 100000) as i`;
  await sql`
    insert into deliveries (notification_id, project_id, recipient_id, recipient_name, channel, status, attempts,
      next_attempt_at, last_error, sent_at, failed_at)
    select id, 1, 1 + id % 40, 'Team ' || 1 + id % 40, 'Email',
      (case when id % 50 = 0 then 'Failed' else 'Sent' end)::delivery_status, 1 + id % 7, null,
      case when id % 50 = 0 then 'Refused' end, now(),
      case when id % 50 = 0 then now() - id % 20 * interval '1 day' end
    from notifications`;
}

/** 2,000 contracts of 2,000 tables, each evaluated 20 times. */
async function addContracts(sql: Sql): Promise<void> {
  await sql`
    insert into contracts (data_source_id, name, schema_name, table_name, cron_expression, next_run_at)
    select 1, 'Table ' || i || ' daily', 'public', 'table_' || i, '0 6 * * *', now() + i * interval '1 minute'
    from generate_series(1, 2000) as i`;
  await sql`
    insert into evaluations (contract_id, data_source_id, schema_name, table_name, trigger, status, overall_score,
      started_at, evaluated_at, lease_token, lease_until)
    select contract.id, 1, 'public', contract.table_name, 'Scheduled', 'Completed', (contract.id * 7 + i) % 101, at, at,
      gen_random_uuid(), at
    from contracts contract cross join generate_series(1, 20) as i
    cross join lateral (select now() - i * interval '1 day' as at) as moment`;
}
