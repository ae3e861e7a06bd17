import { type Compared, clientOf } from "./compare/clients.ts";
import { type OrdersServer, onMySql, onPostgreSql } from "./compare/orders.ts";
import { givenOrOwnServer } from "./database.ts";
import type { Say } from "./measure.ts";

/**
 * A Compare rule by rows side by side with reladiff, which is found on the PATH or by RELADIFF: five million rows, or 25
 * million with --large, of which none, 10, and 10,000 differ (or as many as DIFFERENCES lists). PostgreSQL to
 * PostgreSQL, and PostgreSQL to MariaDB if BENCH_MYSQL_URL is set; AGAINST=mysql leaves out the former. What counts are
 * ratios. Memory is that of a whole process, and beside it what it grew by.
 */
const differences = (process.env.DIFFERENCES ?? "0,10,10000").split(",").map(Number);

export async function run(say: Say): Promise<void> {
  const rows = Number(process.env.BENCH_ROWS ?? (process.argv.includes("--large") ? 25_000_000 : 5_000_000));
  const server = await givenOrOwnServer("compare");
  const opened: OrdersServer[] = [];
  try {
    const here = await onPostgreSql(server.adminUrl, "plumbline_bench_here");
    opened.push(here);
    const others: OrdersServer[] = [];
    if (process.env.AGAINST !== "mysql")
      others.push(await onPostgreSql(server.adminUrl, "plumbline_bench_there"));
    const mysqlUrl = process.env.BENCH_MYSQL_URL;
    if (mysqlUrl) others.push(await onMySql(mysqlUrl, "plumbline_bench_there"));
    else say("PostgreSQL to MariaDB is left out: BENCH_MYSQL_URL is not set");
    opened.push(...others);
    await here.build(rows, [0], say);
    for (const there of others) {
      await there.build(rows, differences, say);
      await compareWith(here, there, rows, say);
    }
  } finally {
    for (const each of opened) await each.close();
    await server.stop();
  }
}

/** What comparing took, beside what the program takes with its modules loaded. */
const grown = ({ megabytes, idle }: { megabytes: number; idle: number }) => megabytes - idle;

async function compareWith(here: OrdersServer, there: OrdersServer, rows: number, say: Say): Promise<void> {
  say(`\nPostgreSQL to ${there.label}, ${rows.toLocaleString("en")} rows of six columns`);
  say(
    `  ${"".padEnd(26)}${["differ", "found", "time s", "database CPU s", "client MB", "beyond idle MB"].map((each) => each.padStart(16)).join("")}`,
  );
  const cpuOfBoth = () => here.cpu() + (there.label === here.label ? 0 : there.cpu());
  for (const count of differences) {
    const measured: Compared[] = [];
    for (const client of ["this rule", "reladiff"] as const) {
      const compare = await clientOf(client, here, there, count);
      if (!compare) {
        say("  reladiff is not on the PATH: pip install reladiff, or name it by RELADIFF=…");
        continue;
      }
      const before = cpuOfBoth();
      const result = await compare();
      const cpu = cpuOfBoth() - before;
      if (result.found !== count) say(`  ${client} found ${result.found} differences instead of ${count}`);
      measured.push({ ...result, cpu });
      const figures = [
        String(count),
        String(result.found),
        result.seconds.toFixed(1),
        cpu.toFixed(1),
        result.megabytes.toFixed(0),
        grown(result).toFixed(0),
      ];
      say(`  ${client.padEnd(26)}${figures.map((each) => each.padStart(16)).join("")}`);
    }
    const [own, other] = measured;
    if (!own || !other) continue;
    const ratios = [
      own.seconds / other.seconds,
      own.cpu / other.cpu,
      own.megabytes / other.megabytes,
      grown(own) / grown(other),
    ];
    say(
      `  ${"ratio (goal: at most 1)".padEnd(58)}${ratios.map((each) => each.toFixed(2).padStart(16)).join("")}`,
    );
  }
}
