import { asc, eq, isNotNull } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { Reseal } from "../db/encryption.ts";
import { secretOf } from "./service/connected-sources.ts";
import { dataSources } from "./tables.ts";

/** Re-encrypts every data source's secret with another key. Returns how many there were; throws DecryptionError. */
export async function resealDataSources(tx: Transaction, reseal: Reseal): Promise<number> {
  const rows = await tx
    .select({ id: dataSources.id, secret: dataSources.secret })
    .from(dataSources)
    .where(isNotNull(dataSources.secret))
    .orderBy(asc(dataSources.id))
    .for("update");
  for (const { id, secret } of rows)
    if (secret)
      await tx
        .update(dataSources)
        .set({ secret: reseal(secret, secretOf(id)) })
        .where(eq(dataSources.id, id));
  return rows.length;
}
