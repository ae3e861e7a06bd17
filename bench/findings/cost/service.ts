import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { dialectOf } from "../../../server/data-sources/dialects/dialects.ts";
import type { ServerKind } from "../../../server/data-sources/kinds.ts";
import { closeSources, useDatabase as lend } from "../../../server/data-sources/service/connected-sources.ts";
import { closeDatabase, db } from "../../../server/db/client.ts";
import { getScan, startScan, waitForScan } from "../../../server/findings/service/scans.ts";
import { findings } from "../../../server/findings/tables.ts";
import { aDataSource } from "../../../server/test/factories/data-sources.ts";
import { asAdmin } from "../../../server/test/factories/principals.ts";

/** The service without HTTP, on its own database; import it after setting DATABASE_URL. */
export async function openScans() {
  const admin = await asAdmin();

  /** Fetches one row by its key, as for a person: includes the wait for a connection. */
  const click = async (dataSourceId: number) => {
    const startedAt = performance.now();
    await lend(dataSourceId, (_, source) =>
      source.session((session) =>
        session.read(
          { sql: "select * from orders where id = 4711", parameters: [] },
          { timeoutMs: 60_000, maxRows: 10, maxBytes: 100_000 },
        ),
      ),
    );
    return performance.now() - startedAt;
  };

  return {
    async source(kind: ServerKind, url: string): Promise<number> {
      const { hostname, port, username, password, pathname } = new URL(url);
      const connection = {
        ...{
          host: hostname,
          port: Number(port || dialectOf(kind).connection.defaultPort),
          database: pathname.slice(1),
        },
        ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
      };
      return (await aDataSource({ kind, connection })).id;
    },

    async scan(dataSourceId: number) {
      const startedAt = performance.now();
      const { id } = await startScan(admin, { dataSourceId });
      await waitForScan(id);
      const ms = performance.now() - startedAt;
      const scanned = await getScan(admin, id);
      if (scanned.status !== "Completed" || scanned.skipped.length > 0)
        throw new Error(`The scan is ${scanned.status}: ${scanned.error ?? scanned.skipped[0]?.reason}`);
      return { ms, scanned, found: await db.$count(findings, eq(findings.dataSourceId, dataSourceId)) };
    },

    /** The durations of clicks, in milliseconds: a fixed number, or for as long as something else runs. */
    async clicks(dataSourceId: number, { times, until }: { times?: number; until?: Promise<unknown> }) {
      const took: number[] = [];
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      until?.then(over, over);
      while (times === undefined ? !isOver : took.length < times) {
        took.push(await click(dataSourceId));
        await delay(100);
      }
      return took;
    },

    disconnect: () => closeSources(),

    async close() {
      await closeSources();
      await closeDatabase();
    },
  };
}
