import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "../../db/client.ts";
import { decrypt } from "../../db/encryption.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { recipients } from "../tables.ts";
import { destinationOf } from "./recipients.ts";
import { sealClearDestinations } from "./seal-destinations.ts";

test("addresses that an earlier version stored in clear are sealed, once, and emails stay as they are", async () => {
  await sealClearDestinations();
  const projectId = (await aProject()).id;
  const rows = await db
    .insert(recipients)
    .values([
      { projectId, name: "A", type: "Slack", destination: "https://hooks.slack.com/services/T/B/hush" },
      { projectId, name: "B", type: "Teams", destination: "https://x.logic.azure.com/w?sig=hush" },
      {
        projectId,
        name: "C",
        type: "Webhook",
        destination: "https://a.example/hook-hush",
        archivedAt: new Date(),
      },
    ])
    .returning();
  const mail = await aRecipient({ projectId });
  const ids = rows.map(({ id }) => id);

  expect(await sealClearDestinations()).toBe(3);
  const sealed = await db.select().from(recipients).where(inArray(recipients.id, ids)).orderBy(recipients.id);
  expect(sealed.map(({ destination }) => destination)).toEqual([
    "hooks.slack.com/…hush",
    "x.logic.azure.com/…hush",
    "a.example/…hush",
  ]);
  expect(
    sealed.map(({ id, sealedDestination }) => decrypt(sealedDestination ?? Buffer.of(), destinationOf(id))),
  ).toEqual(rows.map(({ destination }) => destination));
  const [unchanged] = await db.select().from(recipients).where(eq(recipients.id, mail.id));
  expect(unchanged).toMatchObject({ destination: "team@example.com", sealedDestination: null });
  expect(await sealClearDestinations()).toBe(0);
});
