import { randomBytes } from "node:crypto";
import { and, asc, countDistinct, eq, getTableColumns, inArray, isNull, type SQLWrapper } from "drizzle-orm";
import { actorRecipients, actors } from "../../actors/tables.ts";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contractRecipients, contracts } from "../../data-quality/tables.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { nextRevision, rejectStale } from "../../edits/service.ts";
import { invalidRequest, Problem, violatedConstraint } from "../../errors.ts";
import { incidentPolicyRecipients } from "../../incidents/tables.ts";
import { claimManaged, releaseManaged } from "../../stacks/service.ts";
import { subscriptionRecipients, subscriptions } from "../../subscriptions/tables.ts";
import { plural } from "../../text.ts";
import { destinations, shownDestination } from "../destinations.ts";
import type { Recipient, RecipientWrite } from "../schema.ts";
import { recipients } from "../tables.ts";

const notFound = () => new Problem("not_found", "Recipient not found");

const {
  signingSecret: _,
  sealedDestination: __,
  createdAt: ___,
  archivedAt: ____,
  ...shown
} = getTableColumns(recipients);

/** The place that a sealed destination is bound to. */
export const destinationOf = (recipientId: number) => `recipient-destination:${recipientId}`;

/** The place that a signing secret is bound to: it cannot be decrypted in another row. */
export const signingSecretOf = (recipientId: number) => `recipient:${recipientId}`;

export async function listRecipients(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined } = {},
) {
  const items = await db
    .select(shown)
    .from(recipients)
    .where(
      and(
        isNull(recipients.archivedAt),
        inVisibleProject(principal, recipients.projectId),
        projectId === undefined ? undefined : eq(recipients.projectId, projectId),
      ),
    )
    .orderBy(asc(recipients.name), asc(recipients.id));
  return { items };
}

/**
 * The existing, unarchived ones of these recipients, in any project: the caller checks it. In a transaction they are
 * locked against archiving.
 */
export async function findRecipients(
  connection: Connection,
  ids: readonly number[] | SQLWrapper,
): Promise<Recipient[]> {
  const given = "getSQL" in ids ? ids : [...ids];
  if (Array.isArray(given) && given.length === 0) return [];
  return connection
    .select(shown)
    .from(recipients)
    .where(and(inArray(recipients.id, given), isNull(recipients.archivedAt)))
    .orderBy(asc(recipients.id))
    .for("share");
}

/**
 * The distinct recipients that an object refers to, all of its project. Locks them against archiving until the
 * transaction ends. Throws not_found for one that the caller cannot see, and invalid, with its index in `path`, for
 * one of a project other than that of `belongsTo`.
 */
export async function requireRecipients(
  tx: Transaction,
  { principal }: SignedIn,
  ids: readonly number[],
  {
    projectId,
    path,
    belongsTo,
  }: { projectId: number; path: string; belongsTo: "query" | "data source" | "policy" },
): Promise<number[]> {
  const unique = [...new Set(ids)];
  const found = new Map((await findRecipients(tx, unique)).map((recipient) => [recipient.id, recipient]));
  const visible = [...found.values()].filter((recipient) => maySeeProject(principal, recipient.projectId));
  if (visible.length < unique.length) throw notFound();
  const errors = ids.flatMap((id, index) =>
    found.get(id)?.projectId === projectId
      ? []
      : { path: `${path}.${index}`, message: `belongs to another project than the ${belongsTo}` },
  );
  if (errors.length > 0) throw invalidRequest(errors);
  return unique;
}

/** Throws not_found for a recipient that is unknown, archived, or in a project that the caller cannot see. */
export async function getRecipient({ principal }: SignedIn, id: number): Promise<Recipient> {
  const [recipient] = await findRecipients(db, [id]);
  if (!recipient || !maySeeProject(principal, recipient.projectId)) throw notFound();
  return recipient;
}

/** The response for a new webhook contains its signing secret, only this once: it is stored encrypted. */
export async function createRecipient(
  ctx: SignedIn,
  write: RecipientWrite & { projectId: number },
): Promise<Recipient & { signingSecret?: string }> {
  const { projectId } = write;
  if (!maySeeProject(ctx.principal, projectId)) throw new Problem("not_found", "Project not found");
  try {
    return await db.transaction(async (tx) => {
      const destination = shownDestination(write.type, write.destination);
      const [recipient] = await tx
        .insert(recipients)
        .values({ ...write, destination })
        .returning(shown);
      if (!recipient) throw new Error("The insert returned no recipient");
      await claimManaged(tx, ctx, { kind: "Recipient", id: recipient.id, projectId, revision: 1 });
      await sealDestination(tx, recipient.id, write);
      if (recipient.type !== "Webhook") return recipient;
      return { ...recipient, signingSecret: await makeSigningSecret(tx, recipient.id) };
    });
  } catch (error) {
    if (violatedConstraint(error)?.includes("project_id"))
      throw new Problem("not_found", "Project not found");
    throw error;
  }
}

/** Stores a destination that is a secret, and no longer one that was. */
async function sealDestination(
  tx: Transaction,
  id: number,
  { type, destination }: Pick<RecipientWrite, "type" | "destination">,
): Promise<void> {
  const sealedDestination = destinations[type].isSecret ? encrypt(destination, destinationOf(id)) : null;
  await tx.update(recipients).set({ sealedDestination }).where(eq(recipients.id, id));
}

/** A new secret, which is only stored encrypted. */
async function makeSigningSecret(tx: Transaction, recipientId: number): Promise<string> {
  // The Standard Webhooks format: a prefix, and 24 random bytes in base64.
  const signingSecret = `whsec_${randomBytes(24).toString("base64")}`;
  await tx
    .update(recipients)
    .set({ signingSecret: encrypt(signingSecret, signingSecretOf(recipientId)) })
    .where(eq(recipients.id, recipientId));
  return signingSecret;
}

/**
 * A Webhook cannot become another type, or vice versa. A Webhook that moves to another host gets a new signing
 * secret, returned only once: whoever runs the old host could otherwise forge messages to the new one. Throws conflict
 * if the caller's revision is no longer current.
 */
export async function updateRecipient(
  ctx: SignedIn,
  {
    id,
    baseRevision,
    name,
    type,
    destination,
    enabled = true,
    decisions,
  }: RecipientWrite & { id: number; baseRevision?: number | undefined },
): Promise<Recipient & { signingSecret?: string }> {
  return db.transaction(async (tx) => {
    const stored = await lockRecipient(tx, ctx, id);
    const edited = { kind: "Recipient", id, revision: stored.revision } as const;
    await rejectStale(tx, { ...edited, baseRevision });
    if ((stored.type === "Webhook") !== (type === "Webhook"))
      throw new Problem(
        "rejected",
        "A recipient cannot be turned into a Webhook, nor a Webhook into another type",
      );
    const { name: oldName, type: oldType, destination: oldDestination, enabled: wasEnabled } = stored;
    const before = {
      ...{ name: oldName, type: oldType, destination: oldDestination, enabled: wasEnabled },
      decisions: stored.decisions,
    };
    // What was shown of a secret, sent back, keeps it.
    const isKept = destinations[type].isSecret && type === stored.type && destination === stored.destination;
    if (!isKept && !destinations[type].schema.safeParse(destination).success)
      throw invalidRequest([{ path: "destination", message: "is only shown in part: enter all of it" }]);
    const after = {
      ...{ name, type, enabled },
      // Left out by clients that do not know of it.
      decisions: decisions ?? stored.decisions,
      destination: isKept ? destination : shownDestination(type, destination),
    };
    const revision = await nextRevision(tx, ctx, { ...edited, before, after });
    await claimManaged(tx, ctx, { kind: "Recipient", id, projectId: stored.projectId, revision });
    const [recipient] = await tx
      .update(recipients)
      .set({ ...after, revision })
      .where(eq(recipients.id, id))
      .returning(shown);
    if (!recipient) throw notFound();
    if (!isKept) await sealDestination(tx, id, { type, destination });
    const isSameReceiver =
      type !== "Webhook" || isKept || hostShown(stored.destination) === new URL(destination).host;
    if (isSameReceiver) return recipient;
    return { ...recipient, signingSecret: await makeSigningSecret(tx, id) };
  });
}

/** Of what is shown of an address. Includes the port: another port may belong to someone else. */
const hostShown = (shown: string) => shown.split("/")[0];

/** Archives the recipient. Throws conflict, with counts, while contracts, subscriptions, actors, or incident policies refer to it. */
export async function deleteRecipient(ctx: SignedIn, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRecipient(tx, ctx, id);
    await releaseManaged(tx, ctx, { kind: "Recipient", id });
    const users = await usersOf(tx, id);
    if (users.length > 0)
      throw new Problem("conflict", `The recipient is still used by ${users.join(" and ")}`);
    await tx.update(recipients).set({ archivedAt: new Date() }).where(eq(recipients.id, id));
  });
}

/** The unarchived objects that refer to a recipient, in words: `2 data contracts`. */
async function usersOf(connection: Connection, id: number): Promise<string[]> {
  const [ofContracts] = await connection
    .select({ count: countDistinct(contracts.id) })
    .from(contractRecipients)
    .innerJoin(contracts, eq(contracts.id, contractRecipients.contractId))
    .where(and(eq(contractRecipients.recipientId, id), isNull(contracts.archivedAt)));
  const [ofSubscriptions] = await connection
    .select({ count: countDistinct(subscriptions.id) })
    .from(subscriptionRecipients)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionRecipients.subscriptionId))
    .where(and(eq(subscriptionRecipients.recipientId, id), isNull(subscriptions.archivedAt)));
  const [ofActors] = await connection
    .select({ count: countDistinct(actors.id) })
    .from(actorRecipients)
    .innerJoin(actors, eq(actors.id, actorRecipients.actorId))
    .where(and(eq(actorRecipients.recipientId, id), isNull(actors.archivedAt)));
  const [ofPolicies] = await connection
    .select({ count: countDistinct(incidentPolicyRecipients.policyId) })
    .from(incidentPolicyRecipients)
    .where(eq(incidentPolicyRecipients.recipientId, id));
  return [
    unlessNone(ofContracts?.count ?? 0, "data contract"),
    unlessNone(ofSubscriptions?.count ?? 0, "subscription"),
    unlessNone(ofActors?.count ?? 0, "AI actor"),
    unlessNone(ofPolicies?.count ?? 0, "incident policy", "incident policies"),
  ].filter((words) => words !== null);
}

const unlessNone = (count: number, one: string, many?: string) =>
  count === 0 ? null : plural(count, one, many);

/** Like getRecipient, and locks it until the transaction ends. */
async function lockRecipient(connection: Connection, { principal }: SignedIn, id: number) {
  const [recipient] = await connection
    .select(shown)
    .from(recipients)
    .where(and(eq(recipients.id, id), isNull(recipients.archivedAt)))
    .for("update");
  if (!recipient || !maySeeProject(principal, recipient.projectId)) throw notFound();
  return recipient;
}
