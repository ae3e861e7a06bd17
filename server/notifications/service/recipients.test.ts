import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { contractRecipients, contracts } from "../../data-quality/tables.ts";
import { db } from "../../db/client.ts";
import { decrypt } from "../../db/encryption.ts";
import { archiveSubscription } from "../../subscriptions/service/subscriptions.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aSubscription } from "../../test/factories/subscriptions.ts";
import { someoneWaitsForLock } from "../../test/waits-for-lock.ts";
import { createRecipientInput, updateRecipientInput } from "../schema.ts";
import { recipients } from "../tables.ts";
import {
  createRecipient,
  deleteRecipient,
  destinationOf,
  findRecipients,
  listRecipients,
  signingSecretOf,
  updateRecipient,
} from "./recipients.ts";

let editor: SignedIn;
let projectId: number;

beforeAll(async () => {
  editor = await asEditor();
  projectId = (await aProject()).id;
});

const email = (name = "The team") => ({
  projectId,
  name,
  type: "Email" as const,
  destination: "team@example.com",
});
const webhook = () => ({
  projectId,
  name: "The hook",
  type: "Webhook" as const,
  destination: "https://hooks.example.com/1",
});

/** A contract that notifies the recipient. */
async function aContractFor(recipientId: number) {
  const source = await aDataSource({ projectId });
  const [contract] = await db
    .insert(contracts)
    .values({
      dataSourceId: source.id,
      name: "Orders",
      schemaName: "public",
      tableName: "orders",
      cronExpression: "0 6 * * *",
    })
    .returning();
  if (!contract) throw new Error("The insert returned no contract");
  await db.insert(contractRecipients).values({ contractId: contract.id, recipientId });
  return contract;
}

describe("recipients", () => {
  test("are created, listed by name, changed, and archived", async () => {
    const project = await aProject();
    const zoe = await createRecipient(editor, { ...email("Zoe"), projectId: project.id });
    const adam = await createRecipient(editor, { ...email("Adam"), projectId: project.id, enabled: false });
    expect(zoe).toEqual({
      ...email("Zoe"),
      projectId: project.id,
      id: zoe.id,
      enabled: true,
      decisions: false,
      revision: 1,
    });
    expect(adam.enabled).toBe(false);
    const list = () => listRecipients(editor, { projectId: project.id });
    expect((await list()).items).toEqual([adam, zoe]);
    const changed = await updateRecipient(editor, {
      id: adam.id,
      name: "Eve",
      type: "Slack",
      destination: "https://hooks.slack.com/services/1",
    });
    // Omitted fields are reset to their defaults.
    expect(changed).toMatchObject({ name: "Eve", type: "Slack", enabled: true });
    await deleteRecipient(editor, zoe.id);
    expect((await list()).items).toEqual([changed]);
    await expect(deleteRecipient(editor, zoe.id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("a webhook's signing secret is shown once, and stored encrypted", async () => {
    const { signingSecret = "", ...shown } = await createRecipient(editor, webhook());
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(Buffer.from(signingSecret.slice("whsec_".length), "base64")).toHaveLength(24);
    const { items } = await listRecipients(editor);
    expect(items.find(({ id }) => id === shown.id)).toEqual(shown);
    const [row] = await db.select().from(recipients).where(eq(recipients.id, shown.id));
    const sealed = row?.signingSecret ?? Buffer.alloc(0);
    expect(sealed.includes(signingSecret)).toBe(false);
    expect(decrypt(sealed, signingSecretOf(shown.id))).toBe(signingSecret);
    expect(await createRecipient(editor, email())).not.toHaveProperty("signingSecret");
  });

  test("a routing key is stored encrypted and shown by its end, which an update may send back", async () => {
    const key = "0123456789abcdef0123456789abcdef";
    const onCall = { ...email(), type: "PagerDuty" as const, destination: key };
    const created = await createRecipient(editor, onCall);
    expect(created.destination).toBe("…cdef");
    const stored = async () =>
      (await db.select().from(recipients).where(eq(recipients.id, created.id)))[0]?.sealedDestination;
    const first = await stored();
    expect(first?.includes(key)).toBe(false);
    expect(decrypt(first ?? Buffer.alloc(0), destinationOf(created.id))).toBe(key);
    const { projectId: _, ...write } = onCall;
    const renamed = await updateRecipient(editor, {
      ...write,
      id: created.id,
      name: "Nights",
      destination: "…cdef",
    });
    expect(renamed).toMatchObject({ name: "Nights", destination: "…cdef" });
    expect(await stored()).toEqual(first);
    await expect(
      updateRecipient(editor, { ...write, id: created.id, destination: "…ffff" }),
    ).rejects.toMatchObject({ code: "invalid" });
    // An address that is no secret is not kept as one.
    await updateRecipient(editor, { ...write, id: created.id, type: "Email", destination: "a@example.com" });
    expect(await stored()).toBeNull();
  });

  test("a webhook stays one with its secret, and other types cannot become one", async () => {
    const hook = await createRecipient(editor, webhook());
    const mail = await createRecipient(editor, email());
    const rejected = { code: "rejected" };
    await expect(updateRecipient(editor, { ...email(), id: hook.id })).rejects.toMatchObject(rejected);
    await expect(updateRecipient(editor, { ...webhook(), id: mail.id })).rejects.toMatchObject(rejected);
    const [before] = await db.select().from(recipients).where(eq(recipients.id, hook.id));
    await updateRecipient(editor, { ...webhook(), id: hook.id, destination: "https://hooks.example.com/2" });
    const [after] = await db.select().from(recipients).where(eq(recipients.id, hook.id));
    expect(after?.destination).toBe("hooks.example.com/…om/2");
    expect(decrypt(after?.sealedDestination ?? Buffer.alloc(0), destinationOf(hook.id))).toBe(
      "https://hooks.example.com/2",
    );
    // What is shown, sent back, keeps the address and the secret.
    const renamed = { ...webhook(), id: hook.id, name: "Renamed", destination: "hooks.example.com/…om/2" };
    expect(await updateRecipient(editor, renamed)).not.toHaveProperty("signingSecret");
    const [kept] = await db.select().from(recipients).where(eq(recipients.id, hook.id));
    expect(kept?.sealedDestination).toEqual(after?.sealedDestination);
    expect(after?.signingSecret).toEqual(before?.signingSecret);
  });

  test("a webhook that moves to another host gets a new secret, shown once", async () => {
    const { id, signingSecret } = await createRecipient(editor, webhook());
    const move = (destination: string) =>
      updateRecipient(editor, { ...webhook(), id, destination, enabled: true });
    const sealed = async () =>
      (await db.select().from(recipients).where(eq(recipients.id, id)))[0]?.signingSecret ?? Buffer.alloc(0);

    expect(await move("https://hooks.example.com/2?x=1")).not.toHaveProperty("signingSecret");
    expect(decrypt(await sealed(), signingSecretOf(id))).toBe(signingSecret);

    for (const destination of ["https://other.example.com/2", "https://other.example.com:8443/2"]) {
      const before = decrypt(await sealed(), signingSecretOf(id));
      const { signingSecret: renewed } = await move(destination);
      expect(renewed).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(renewed).not.toBe(before);
      expect(decrypt(await sealed(), signingSecretOf(id))).toBe(renewed);
    }
  });

  test("one in use by contracts cannot be archived, and says by how many; archived contracts do not count", async () => {
    const recipient = await createRecipient(editor, email());
    const first = await aContractFor(recipient.id);
    await aContractFor(recipient.id);
    await expect(deleteRecipient(editor, recipient.id)).rejects.toMatchObject({
      code: "conflict",
      detail: "The recipient is still used by 2 data contracts",
    });
    await db.update(contracts).set({ archivedAt: new Date() }).where(eq(contracts.id, first.id));
    await expect(deleteRecipient(editor, recipient.id)).rejects.toMatchObject({
      detail: "The recipient is still used by 1 data contract",
    });
    await db.update(contracts).set({ archivedAt: new Date() });
    await deleteRecipient(editor, recipient.id);
  });

  test("one in use by a subscription cannot be archived, and says so", async () => {
    const source = await aDataSource();
    const { projectId } = source;
    const recipient = await createRecipient(editor, { ...email(), projectId });
    const query = await aQuery({ dataSource: source });
    const watch = await aSubscription({ query, recipientIds: [recipient.id] });
    await expect(deleteRecipient(editor, recipient.id)).rejects.toMatchObject({
      code: "conflict",
      detail: "The recipient is still used by 1 subscription",
    });
    await archiveSubscription(editor, watch.id);
    await deleteRecipient(editor, recipient.id);
  });

  test("are found by id unless archived, and cannot be archived while locked", async () => {
    const [one, two] = [await createRecipient(editor, email()), await createRecipient(editor, webhook())];
    const ids = [two.id, one.id, 2_000_000_000];
    const found = await findRecipients(db, ids);
    expect(found.map(({ id }) => id)).toEqual([one.id, two.id]);
    expect(found[1]).not.toHaveProperty("signingSecret");
    expect(await findRecipients(db, [])).toEqual([]);
    let archived = false;
    const archiving = await db.transaction(async (tx) => {
      await findRecipients(tx, ids);
      const later = elsewhere(() => deleteRecipient(editor, one.id)).then(() => {
        archived = true;
      });
      await someoneWaitsForLock();
      expect(archived).toBe(false);
      return { later };
    });
    await archiving.later;
    expect((await findRecipients(db, ids)).map(({ id }) => id)).toEqual([two.id]);
  });

  test("of another project are not listed or found, and cannot be created there", async () => {
    const recipient = await createRecipient(editor, email());
    const restricted = await asAdmin({ projectIds: [(await aProject()).id] });
    const notFound = { code: "not_found", detail: "Recipient not found" };
    expect((await listRecipients(restricted)).items).toEqual([]);
    expect((await listRecipients(restricted, { projectId })).items).toEqual([]);
    await expect(deleteRecipient(restricted, recipient.id)).rejects.toMatchObject(notFound);
    await expect(updateRecipient(restricted, { ...email(), id: recipient.id })).rejects.toMatchObject(
      notFound,
    );
    const noProject = { code: "not_found", detail: "Project not found" };
    await expect(createRecipient(restricted, email())).rejects.toMatchObject(noProject);
    await expect(createRecipient(editor, { ...email(), projectId: 2_000_000_000 })).rejects.toMatchObject(
      noProject,
    );
  });
});

test.each([
  ["Email", "nobody", "must be an email address"],
  [
    "Slack",
    "javascript:alert(1)",
    "must be the http(s) address of a webhook, or a channel's ID such as C0123456789",
  ],
  ["Webhook", "file:///etc/passwd", "must be an http(s) address"],
  ["Teams", "team@example.com", "must be an http(s) address"],
  ["Email", " ", "is required"],
])("a destination must fit its type: %s %j", (type, destination, message) => {
  const fields = { name: "x", type, destination };
  for (const parsed of [
    createRecipientInput.safeParse({ ...fields, projectId: 1 }),
    updateRecipientInput.safeParse({ ...fields, id: 1 }),
  ])
    expect(parsed.error?.issues).toContainEqual(expect.objectContaining({ path: ["destination"], message }));
});
