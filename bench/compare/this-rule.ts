import { compareTables } from "../../server/data-quality/compare/compare-tables.ts";
import type { Side } from "../../server/data-quality/compare/sides.ts";
import { getEngine } from "../../server/data-sources/engines/engines.ts";

/**
 * Compares two tables as a rule does, outside of the service; prints how many rows differ. Without tables, it ends once it
 * is loaded.
 */
if (process.argv[2] === undefined) {
  // For long enough that its memory is seen.
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.exit(0);
}
const { here, there, tables, columns } = JSON.parse(process.argv[2]) as {
  here: { kind: "PostgreSql" | "MySql"; url: string };
  there: { kind: "PostgreSql" | "MySql"; url: string };
  tables: [string, string];
  columns: string[];
};

const opened = [here, there].map(({ kind, url }, place) => {
  const address = new URL(url);
  const engine = getEngine(kind);
  if (engine.dialect === null) throw new Error("Not a database");
  const database = decodeURIComponent(address.pathname.slice(1));
  const source = engine.open({
    host: address.hostname,
    port: Number(address.port || engine.dialect.connection?.defaultPort),
    ...{
      database,
      user: decodeURIComponent(address.username),
      password: decodeURIComponent(address.password),
    },
    ssl: false,
  });
  const side: Side = {
    name: place === 0 ? "this table" : "the other table",
    dialect: engine.dialect,
    target: {
      schemaName: kind === "MySql" ? database : "public",
      tableName: tables[place] ?? "",
    },
    where: undefined,
    read: (statement, limits) => source.session((session) => session.read(statement, limits)),
  };
  return { side, source };
});
const [one, other] = opened;
if (!one || !other) throw new Error("Two tables are needed");

const verdict = await compareTables({
  sides: [one.side, other.side],
  configuration: { by: "Rows", otherTable: tables[1], key: ["id"], columns },
  ...{ options: {}, otherName: tables[1], samples: "Full", timeoutMs: 3_600_000 },
});
if (!verdict.couldRun) throw new Error(verdict.message ?? "Could not compare");
process.stdout.write(`${verdict.actualValue}\n${verdict.failing}\n`);
for (const { source } of opened) await source.close();
