import { admin } from "../../e2e/service.ts";
import { recordAsSystem } from "../../server/audit/service.ts";
import { createFirstAdmin } from "../../server/auth/first-admin.ts";
import { closeDatabase, sql } from "../../server/db/client.ts";
import { readSettings } from "../../server/env.ts";
import { aContract, aRule } from "../../server/test/factories/contracts.ts";
import { aDataSource } from "../../server/test/factories/data-sources.ts";

/**
 * Creates identical contracts, with two cheap rules on a small table, none of them due; and one more on the first data
 * source, which a person evaluates. Returns the latter's id. Import this after setting DATABASE_URL.
 */
export async function makeContracts(watched: string, count: number, sources: number): Promise<number> {
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
  const ids: number[] = [];
  for (let n = 0; n < sources; n++) ids.push((await aDataSource({ name: `Source ${n}`, connection })).id);
  const clicked = await aContract({
    name: "By hand",
    dataSourceId: ids[0] ?? 0,
    enabled: false,
    rules: [aRule("Volume", { minRows: 1 }), aRule("NullRate", { column: "customer", maxNullPercent: 50 })],
  });
  await sql`
    insert into contracts (data_source_id, name, schema_name, table_name, cron_expression)
    select (${ids}::int[])[1 + i % ${sources}], 'Contract ' || i, 'public', 'orders', '0 6 * * *'
    from generate_series(1, ${count}::int) as i`;
  await sql`
    insert into rules (contract_id, key, position, name, type, "column", severity, weight, enabled, configuration)
    select c.id, gen_random_uuid(), r.position, r.name, r.type, r."column", r.severity, r.weight, true, r.configuration
    from contracts c cross join rules r where r.contract_id = ${clicked.id} and c.id <> r.contract_id`;
  await sql`analyze`;
  await closeDatabase();
  return clicked.id;
}
