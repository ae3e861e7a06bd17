import { db } from "../../db/client.ts";
import type { AlertKind } from "../../watch/schema.ts";
import { enableWatch } from "../../watch/service/watch.ts";
import { tableAlerts, watchedTables } from "../../watch/tables.ts";

/** A table that is watched, with something unusual about it now. */
export async function aTableAlert({
  dataSourceId,
  schemaName = "public",
  tableName = "users",
  sentence = "Rows: 0, usually 11,000 to 13,000",
  kind = "Volume",
  openedAt = new Date(),
}: {
  dataSourceId: number;
  schemaName?: string;
  tableName?: string;
  sentence?: string;
  kind?: AlertKind;
  openedAt?: Date;
}) {
  await enableWatch(dataSourceId, { timezone: "UTC", nightHour: 2, budgetSeconds: 900 }, null);
  const [table] = await db
    .insert(watchedTables)
    .values({ dataSourceId, schemaName, tableName, columns: [{ name: "id", type: "integer" }] })
    .returning();
  if (!table) throw new Error("The insert returned no table");
  const [alert] = await db
    .insert(tableAlerts)
    .values({
      ...{ tableId: table.id, kind, sentence, openedAt, lastSeenAt: openedAt },
      measure: kind === "Volume" ? "Rows" : null,
    })
    .returning();
  if (!alert) throw new Error("The insert returned no alert");
  return { table, alert };
}
