import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { shownFrom } from "../../findings/judge.ts";
import { findings } from "../../findings/tables.ts";
import { findingsWords } from "../in-words.ts";
import { type Described, idsOf, type Needing } from "./described.ts";

type Row = {
  id: number;
  data_source_id: number;
  schema_name: string;
  table_name: string;
  statement: string;
  findings: number;
};

/** A table's open findings, by the worst of them. */
export async function describeFindings(needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db.execute<Row>(sql`
    select worst.id, worst.data_source_id, worst.schema_name, worst.table_name, worst.statement,
      count(*)::int as findings
    from ${findings} as worst
    join ${findings} as each on each.data_source_id = worst.data_source_id and each.schema_name = worst.schema_name
      and each.table_name = worst.table_name and each.status = 'Open' and each.confidence >= ${shownFrom}
    where worst.id = ${idsOf(needing)}
    group by worst.id`);
  const since = new Map(needing.map(({ id, at }) => [id, at]));
  return new Map(
    [...rows].map((row): [number, Described] => [
      row.id,
      {
        title: `${row.schema_name}.${row.table_name}`,
        reason: findingsWords(row.findings, row.statement),
        since: since.get(row.id) ?? new Date(),
        owner: null,
        path:
          row.findings === 1
            ? `/findings/${row.id}`
            : `/findings?${new URLSearchParams({ source: String(row.data_source_id), schema: row.schema_name, table: row.table_name })}`,
        action: { kind: "Review", ids: [row.id] },
      },
    ]),
  );
}
