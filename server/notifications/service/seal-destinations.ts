import { and, asc, eq, isNull, ne } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { shownDestination } from "../destinations.ts";
import { recipients } from "../tables.ts";
import { destinationOf } from "./recipients.ts";

/**
 * Encrypts the destinations that earlier versions stored in clear, of archived recipients too. Runs at every start, after
 * the key was verified: while an earlier version still serves, it adds such ones. Returns how many there were.
 */
export async function sealClearDestinations(): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: recipients.id, type: recipients.type, destination: recipients.destination })
      .from(recipients)
      .where(and(isNull(recipients.sealedDestination), ne(recipients.type, "Email")))
      .orderBy(asc(recipients.id))
      .for("update");
    for (const { id, type, destination } of rows)
      await tx
        .update(recipients)
        .set({
          sealedDestination: encrypt(destination, destinationOf(id)),
          destination: shownDestination(type, destination),
        })
        .where(eq(recipients.id, id));
    return rows.length;
  });
}
