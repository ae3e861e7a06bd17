import { DuckDBInstance } from "@duckdb/node-api";

/** `node write-orders.ts <file> <format> <rows>` writes so many orders to the file. */
const [file = "", format = "", rows = ""] = process.argv.slice(2);

const orders = `
  select n as id, 'ORD-' || n as code, (hash(n) % 100000)::bigint as customer, ((hash(n) % 99999) / 100)::decimal(10, 2) as price,
    ['new', 'paid', 'sent'][1 + (n % 3)::integer] as status, timestamp '2024-01-01' + to_seconds(n % 30000000) as placed,
    md5(n::varchar) as note
  from range(${Number(rows)}) as t(n)`;

const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1GiB", threads: "2" });
const connection = await instance.connect();
await connection.run(`copy (${orders}) to '${file}' (${format})`);
connection.closeSync();
instance.closeSync();
