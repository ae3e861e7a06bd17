import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "../server/db/migrate.ts";
import { addressOf, givenOrOwnServer } from "./database.ts";
import { interleave, printFigures, ratio, type Say, timed } from "./measure.ts";

/**
 * Measures a search over 50 data sources with 100,000 columns, in turns with the obvious plain SQL: the same first page
 * and count by ILIKE over the stored names and comments. That finds neither mistyped words nor words apart from each
 * other, and has no useful ranking.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. SOURCES (50), TABLES of each
 * (100, with 20 columns), QUERIES and CONTRACTS (1,000 each) are the sizes, ROUNDS (9) is how often each is measured.
 */
const size = {
  sources: Number(process.env.SOURCES ?? 50),
  tables: Number(process.env.TABLES ?? 100),
  queries: Number(process.env.QUERIES ?? 1000),
  contracts: Number(process.env.CONTRACTS ?? 1000),
};
const rounds = Number(process.env.ROUNDS ?? 9);
const name = "plumbline_bench_search";

/** From many matches on two letters to none at all. */
const texts = [
  "cu",
  "id",
  "customer",
  "customer_id",
  "customer_audit.status",
  "cutsomer",
  "employee histroy",
  "nothing",
];

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-search");
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  process.env.DATABASE_URL = addressOf(server.adminUrl, name);
  await migrateDatabase(process.env.DATABASE_URL);
  const client = postgres(process.env.DATABASE_URL, { max: 1, onnotice: () => {} });
  const { searchCatalog } = await import("../server/catalog/service/search.ts");
  const { closeDatabase } = await import("../server/db/client.ts");
  const principal = { kind: "User", userId: 1, name: "Bench", role: "Admin" } as const;
  const ctx = { principal: { ...principal, scopes: null, projectIds: null }, requestId: "", address: "" };
  const search = (q: string) => searchCatalog(ctx, { q, page: 0, pageSize: 20 });
  try {
    await fill(client);
    const first = await timed(async () => void (await search("customer")));
    await client`vacuum analyze`;
    say(`The first search, which copies ${size.sources * size.tables * 21} names: ${first.toFixed(0)} ms`);
    say(`Milliseconds, median of ${rounds} rounds in turns`);
    for (const text of texts) {
      const { totalCount } = await search(text);
      const ways = [
        () => timed(async () => void (await search(text))),
        () => timed(() => plainSearch(client, text)),
      ];
      const [own = [], plain = []] = await interleave(ways, rounds);
      printFigures(say, `${text} (${totalCount} found)`, own);
      printFigures(say, "  in plain SQL", plain);
      ratio(say, "  search ÷ plain SQL", own, plain, "below 1");
    }
  } finally {
    await closeDatabase();
    await client.end();
    await server.stop();
  }
}

async function plainSearch(client: Sql, text: string): Promise<void> {
  const like = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  await client`
    with hits as (
      select s.value->>'schemaName' as schema_name, t.value->>'tableName' as table_name, t.value->>'tableName' as name
      from data_source_schemas, jsonb_array_elements(items) as s, jsonb_array_elements(s.value->'tables') as t
      where t.value->>'tableName' ilike ${like} or t.value->>'comment' ilike ${like}
      union all
      select s.value->>'schemaName', t.value->>'tableName', c.value->>'name'
      from data_source_schemas, jsonb_array_elements(items) as s, jsonb_array_elements(s.value->'tables') as t,
        jsonb_array_elements(t.value->'columns') as c
      where c.value->>'name' ilike ${like} or c.value->>'comment' ilike ${like}
      union all select null, null, name from queries where archived_at is null and (name ilike ${like} or description ilike ${like})
      union all select schema_name, table_name, name from contracts where archived_at is null and (name ilike ${like} or description ilike ${like})
    )
    select *, count(*) over () from hits order by name limit 20`;
}

/** Names like those in warehouses: some words are common, some are in camel case, some are unique. */
async function fill(client: Sql): Promise<void> {
  const { sources, tables, queries, contracts } = size;
  await client`insert into projects (name) values ('Bench')`;
  await client`
    insert into data_sources (project_id, name, kind, connection)
    select 1, 'Source ' || n, 'PostgreSql', '{}' from generate_series(1, ${sources}::int) n`;
  await client`
    insert into queries (project_id, name, description)
    select 1, 'Orders of day ' || n, 'What came in that day' from generate_series(1, ${queries}::int) n`;
  await client`
    insert into contracts (data_source_id, name, schema_name, table_name, cron_expression)
    select 1 + n % ${sources}::int, 'Daily load of orders ' || n, 'public', 'orders_' || n, '0 6 * * *'
    from generate_series(1, ${contracts}::int) n`;
  await client`
    insert into data_source_schemas (data_source_id, items)
    select d, jsonb_build_array(jsonb_build_object('schemaName', 'public', 'tables', (
      select jsonb_agg(jsonb_build_object(
        'tableName', (string_to_array('customer order invoice shipment payment product supplier warehouse employee ticket', ' '))[1 + (t + d) % 10]
          || '_' || (string_to_array('items history lines events facts archive notes stats links audit', ' '))[1 + t / 10 % 10]
          || case when d % 3 = 0 then '' else '_' || d end,
        'kind', 'Table', 'rowEstimate', 1,
        'comment', case when t % 3 = 0 then 'What the shop ' || t || ' keeps of customers' end,
        'columns', (
          select jsonb_agg(jsonb_build_object(
            'name', case when c = 1 then 'id' else
              (string_to_array('customer order invoice shipment payment product supplier warehouse employee ticket billing delivery tax discount unit stock', ' '))[1 + (c * 7 + t) % 16]
              || (string_to_array('_id _name _code Amount _at _status _note _type', ' '))[1 + (c + t) % 8]
              || case when c % 9 = 0 then '_' || substr(md5(c::text || t || d), 1, 8) else '' end end,
            'type', 'text', 'nullable', true, 'isPrimaryKey', c = 1,
            'comment', case when c % 4 = 0 then 'The value as the source system sends it' end))
          from generate_series(1, 20) c)))
      from generate_series(1, ${tables}::int) t)))
    from generate_series(1, ${sources}::int) d`;
}
