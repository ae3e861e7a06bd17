import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { NamedTable } from "../../reported-events/schema.ts";
import { findReported } from "../../reported-events/service.ts";
import { type Edge, storeEdges } from "./store-edges.ts";

type Known = { dataSourceId: number; schemaName: string; tableName: string };
const known = ({ dataSourceId, schemaName, tableName }: NamedTable): Known | null =>
  dataSourceId === null ? null : { dataSourceId, schemaName, tableName };

/**
 * Learns from a load that was reported: what it wrote is made from what it read. Its other runs stay known until nobody has
 * reported them for a month, since a run may be of a part. Returns how many edges it told.
 */
export async function learnLoad(eventId: number): Promise<number> {
  const event = await findReported(eventId);
  if (!event) return 0;
  const edges: Edge[] = [];
  for (const [output, named] of event.outputs.entries()) {
    const to = known(named);
    if (!to) continue;
    for (const [input, other] of event.inputs.entries()) {
      const from = known(other);
      const isPair = (pair: (typeof event.columns)[number]) => pair.input === input && pair.output === output;
      if (from)
        edges.push({
          ...{ from, to, isCertain: true },
          columns: event.columns.filter(isPair).map((pair) => ({ from: pair.from, to: pair.to })),
        });
    }
  }
  if (edges.length > 0)
    await db.transaction(async (tx) => {
      // Two runs that end at the same time would both add the same edges.
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended('load ' || ${event.projectId}::text || ' ' || ${event.name}, 0))`,
      );
      const origin = { projectId: event.projectId, via: "Load", origin: event.name } as const;
      await storeEdges(tx, origin, edges, { keeps: true });
    });
  return edges.length;
}
