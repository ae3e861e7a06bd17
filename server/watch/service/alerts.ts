import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { inParts } from "../../db/in-parts.ts";
import { storable } from "../../text.ts";
import type { MeasureName } from "../measures.ts";
import type { AlertKind } from "../schema.ts";
import { tableAlerts, watchedTables } from "../tables.ts";

/** What is judged: one thing of a table, with what is unusual about it; null if nothing is. */
export type Verdict = {
  tableId: number;
  kind: AlertKind;
  columnName: string | null;
  measure: MeasureName | null;
  sentence: string | null;
};

const maxRows = 1000;

const placeOf = ({ tableId, kind, columnName, measure }: Omit<Verdict, "sentence">) =>
  JSON.stringify([tableId, kind, columnName, measure]);

/** Opens alerts, says again what goes on, and ends what is as usual again. What is not among the verdicts stays. */
export async function settleAlerts(
  verdicts: readonly Verdict[],
  at: Date,
  connection: Connection = db,
): Promise<void> {
  if (verdicts.length === 0) return;
  const tableIds = [...new Set(verdicts.map(({ tableId }) => tableId))];
  const current = await connection
    .select()
    .from(tableAlerts)
    .where(and(inArray(tableAlerts.tableId, tableIds), isNull(tableAlerts.endedAt)));
  const byPlace = new Map(current.map((alert) => [placeOf(alert), alert]));
  const over: number[] = [];
  const lasting: { id: number; sentence: string }[] = [];
  const begun: (typeof tableAlerts.$inferInsert)[] = [];
  for (const { sentence: words, ...verdict } of verdicts) {
    const known = byPlace.get(placeOf(verdict));
    if (words === null) {
      if (known) over.push(known.id);
      continue;
    }
    const sentence = storable(words, 2000);
    if (known) lasting.push({ id: known.id, sentence });
    else begun.push({ ...verdict, sentence, openedAt: at, lastSeenAt: at });
  }
  // When a load stops, thousands of tables are late at once.
  for (const some of inParts(lasting, maxRows))
    await connection.execute(sql`
      update ${tableAlerts} set sentence = given.sentence, last_seen_at = ${at.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as given (id int, sentence text)
      where ${tableAlerts.id} = given.id`);
  for (const some of inParts(begun, maxRows))
    await connection.insert(tableAlerts).values(some).onConflictDoNothing();
  if (over.length > 0)
    await connection.update(tableAlerts).set({ endedAt: at }).where(inArray(tableAlerts.id, over));
}

/** What happened once, such as a new column, is over after a while. */
export async function endOldEvents(dataSourceId: number, at: Date): Promise<void> {
  await db
    .update(tableAlerts)
    .set({ endedAt: at })
    .where(
      and(
        inArray(
          tableAlerts.tableId,
          db
            .select({ id: watchedTables.id })
            .from(watchedTables)
            .where(eq(watchedTables.dataSourceId, dataSourceId)),
        ),
        inArray(tableAlerts.kind, ["Schema", "Values", "Gone"]),
        isNull(tableAlerts.endedAt),
        lt(tableAlerts.lastSeenAt, sql`${at.toISOString()}::timestamptz - interval '3 days'`),
      ),
    );
}
