import { eq, inArray, sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { db } from "../../db/client.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { aNotification, aRecipient } from "../../test/factories/notifications.ts";
import { aMember } from "../../test/factories/sessions.ts";
import { rowsRead } from "../../test/sequential-scans.ts";
import { sent } from "../channels/channel.ts";
import { deliveries } from "../tables.ts";
import { type Claimed, claim, record } from "./turns.ts";

let projectId: number;
beforeAll(async () => {
  projectId = (await aProject()).id;
});

const aHook = (name: string) =>
  aRecipient({ projectId, name, type: "Webhook", destination: "https://hooks.example.com/one" });

/** One delivery to each of these receivers. */
async function queued(recipientIds: readonly number[], userIds: readonly number[] = []): Promise<number[]> {
  const notificationId = await aNotification({ projectId, recipientIds, userIds });
  const rows = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(eq(deliveries.notificationId, notificationId ?? 0))
    .orderBy(deliveries.id);
  return rows.map(({ id }) => id);
}

const claimed = async (id: number | undefined) => (await claim(id ?? 0)) as Claimed;
const rowOf = async (id: number | undefined) =>
  (
    await db
      .select()
      .from(deliveries)
      .where(eq(deliveries.id, id ?? 0))
  )[0];
const accepted = (each: Claimed) => record(each, sent("HTTP 200"), { goesOn: true });

test("messages that are accepted at the same time are stored together, and each receiver's next one begins", async () => {
  const [one, two] = [await aHook("One"), await aHook("Two")];
  const person = await aMember({ projectId, role: "Viewer" });
  const [ofOne, ofTwo, ofPerson] = await queued([one.id, two.id], [person.id]);
  const [nextOfOne, nextOfPerson] = await queued([one.id], [person.id]);
  const [lastOfOne] = await queued([one.id]);
  const turns = [await claimed(ofOne), await claimed(ofTwo), await claimed(ofPerson)];
  // While one is under way, the receiver's others are not.
  expect(await claim(nextOfOne ?? 0)).toBeNull();

  const outcomes = await Promise.all(turns.map(accepted));
  expect(outcomes).toEqual([
    {
      recorded: "Sent",
      next: { recipientId: one.id, userId: null, id: nextOfOne, token: expect.any(String), tries: 1 },
    },
    { recorded: "Sent", next: null },
    {
      recorded: "Sent",
      next: { recipientId: null, userId: person.id, id: nextOfPerson, token: expect.any(String), tries: 1 },
    },
  ]);
  for (const id of [ofOne, ofTwo, ofPerson])
    expect(await rowOf(id)).toMatchObject({
      ...{ status: "Sent", answer: "HTTP 200", lastError: null, sentAt: expect.any(Date) },
      ...{ nextAttemptAt: null, leaseToken: null, leaseUntil: null, attempts: 1 },
    });
  const ids = [ofOne, ofTwo, ofPerson, nextOfOne, nextOfPerson].map((id) => id ?? 0);
  const by = await db
    .select({ by: sql<string>`${deliveries}.xmin::text` })
    .from(deliveries)
    .where(inArray(deliveries.id, ids));
  expect(new Set(by.map((row) => row.by)).size).toBe(1);

  // The tokens are those of the leases that the next ones have now.
  const [next] = outcomes;
  expect(await rowOf(nextOfOne)).toMatchObject({
    status: "Queued",
    leaseToken: next?.next?.token,
    attempts: 1,
  });
  expect(await claim(lastOfOne ?? 0)).toBeNull();
  const afterwards = await accepted(next?.next as Claimed);
  expect(afterwards).toMatchObject({ recorded: "Sent", next: { id: lastOfOne } });
});

test("of a message that another worker has taken over, nothing is stored, and its receiver's next one does not begin", async () => {
  const [one, two] = [await aHook("One"), await aHook("Two")];
  const [ofOne, ofTwo] = await queued([one.id, two.id]);
  const [waits] = await queued([one.id]);
  const [lost, held] = [await claimed(ofOne), await claimed(ofTwo)];
  const outcomes = await Promise.all([{ ...lost, token: crypto.randomUUID() }, held].map(accepted));
  expect(outcomes).toEqual([
    { recorded: "Skipped", next: null },
    { recorded: "Sent", next: null },
  ]);
  expect(await rowOf(ofOne)).toMatchObject({ status: "Queued", leaseToken: lost.token });
  expect(await rowOf(waits)).toMatchObject({ status: "Queued", leaseToken: null, attempts: 0 });
});

test("a message that others hold for long keeps its own receiver waiting, and no other", async () => {
  const [one, two] = [await aHook("One"), await aHook("Two")];
  const [ofOne, ofTwo] = await queued([one.id, two.id]);
  const turns = [await claimed(ofOne), await claimed(ofTwo)];
  let stored: Promise<unknown[]> | undefined;
  await db.transaction(async (tx) => {
    await tx
      .select()
      .from(deliveries)
      .where(eq(deliveries.id, ofOne ?? 0))
      .for("update");
    stored = elsewhere(() => Promise.all(turns.map(accepted)));
    await vi.waitUntil(() => elsewhere(async () => (await rowOf(ofTwo))?.status === "Sent"), 20_000);
    expect(await elsewhere(() => rowOf(ofOne))).toMatchObject({ status: "Queued" });
  });
  expect(await stored).toMatchObject([{ recorded: "Sent" }, { recorded: "Sent" }]);
});

test("a next message that is held back, or that a dead worker's lease still covers, does not begin", async () => {
  const { id } = await aHook("One");
  const [first] = await queued([id]);
  const [heldBack] = await queued([id]);
  const [leased] = await queued([id]);
  const turn = await claimed(first);
  const soon = sql`now() + interval '1 minute'`;
  await db
    .update(deliveries)
    .set({ nextAttemptAt: soon })
    .where(eq(deliveries.id, heldBack ?? 0));
  await db
    .update(deliveries)
    .set({ leaseUntil: soon })
    .where(eq(deliveries.id, leased ?? 0));
  expect(await accepted(turn)).toEqual({ recorded: "Sent", next: null });
});

test("a receiver's next message is found without reading what else waits for it, or was ever sent to it", async () => {
  const { id } = await aHook("Busy");
  const [first] = await queued([id]);
  const turn = await claimed(first);
  await db.execute(sql`
    with noted as (
      insert into notifications (project_id, cause_kind, cause_id, subject, content)
      select ${projectId}, 'Evaluation', 100000 + n, 'Late', '{}' from generate_series(1, 2000) as n
      returning id, cause_id
    )
    insert into deliveries (notification_id, project_id, recipient_id, recipient_name, channel, status, next_attempt_at)
    select id, ${projectId}, ${id}, 'Busy', 'Webhook',
      (case when cause_id <= 101000 then 'Sent' else 'Queued' end)::delivery_status,
      case when cause_id > 101000 then now() end
    from noted order by cause_id`);
  const read = await rowsRead(["deliveries"], async () =>
    expect(await accepted(turn)).toMatchObject({ recorded: "Sent", next: { tries: 1 } }),
  );
  expect(read.get("deliveries")).toBeLessThan(50);
});
