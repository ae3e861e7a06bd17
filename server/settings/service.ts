import { eq, sql } from "drizzle-orm";
import type { SignedIn } from "../auth/principal.ts";
import { type NamedUser, namesOfUsers } from "../auth/service/user-names.ts";
import { hasOtherAdmin, lockAdmins, wasAdminBefore } from "../auth/service/users.ts";
import { type Connection, db, type Transaction } from "../db/client.ts";
import { env } from "../env.ts";
import { Problem } from "../errors.ts";
import type { SettingsWrite } from "./schema.ts";
import { settings, settingsChanges } from "./tables.ts";
import { weakens } from "./weakens.ts";

/** What holds now: what an Admin has set, and where nobody has, the configuration. */
export async function getSettings(connection: Connection = db): Promise<SettingsWrite> {
  const [set] = await connection.select().from(settings);
  const { APPROVAL_WORKFLOW, APPROVAL_FOUR_EYES } = env();
  return {
    approvalWorkflow: set?.approvalWorkflow ?? APPROVAL_WORKFLOW,
    fourEyes: set?.fourEyes ?? APPROVAL_FOUR_EYES,
  };
}

type Shown = SettingsWrite & {
  pendingChange?: SettingsWrite & { id: number; requester: NamedUser; createdAt: Date };
};

/** The same, with the change that waits for another Admin, if one does. */
export async function showSettings(): Promise<Shown> {
  const [holds, waiting] = await Promise.all([getSettings(), findPending(db)]);
  if (!waiting) return holds;
  const { id, approvalWorkflow, fourEyes, requestedById, createdAt } = waiting;
  const requester = (await namesOfUsers([requestedById])).get(requestedById);
  if (!requester) throw new Error(`User ${requestedById} is gone`);
  return { ...holds, pendingChange: { id, approvalWorkflow, fourEyes, requester, createdAt } };
}

/** Since when it is an Admin's choice that holds; null while it is the configuration's. */
export async function findSettingsOrigin(): Promise<{ setAt: Date | null }> {
  const [set] = await db.select({ setAt: settings.updatedAt }).from(settings);
  return { setAt: set?.setAt ?? null };
}

/**
 * What holds from now on in every process, whatever the configuration says. While four eyes are on, switching
 * approval off waits for another Admin, unless there is nobody to ask. What waited before is superseded: what was
 * asked for last is what is wanted.
 */
export async function updateSettings({ principal: { userId } }: SignedIn, write: SettingsWrite) {
  await db.transaction(async (tx) => {
    // Held, so that nobody ceases to be an Admin, or changes the settings, at the same time.
    await lockAdmins(tx);
    await endPending(tx, { status: "Superseded" });
    if (weakens(await getSettings(tx), write) && (await hasOtherAdmin(tx, userId)))
      await tx.insert(settingsChanges).values({ ...write, requestedById: userId });
    else await store(tx, write);
  });
  return showSettings();
}

/**
 * Approves a change that waits: it holds from now on. Throws not_found; conflict for one that does not wait any
 * more; and forbidden for whoever has asked for it, and for somebody who was made an Admin since.
 */
export async function approveSettingsChange({ principal: { userId } }: SignedIn, id: number) {
  await db.transaction(async (tx) => {
    await lockAdmins(tx);
    const { requestedById, createdAt, approvalWorkflow, fourEyes } = await getPending(tx, id);
    if (requestedById === userId)
      throw new Problem("forbidden", "Your own change has to be approved by somebody else");
    if (!(await wasAdminBefore(tx, userId, createdAt)))
      throw new Problem(
        "forbidden",
        "It has to be approved by somebody who was an Admin when it was requested",
      );
    await endPending(tx, { status: "Approved", decidedById: userId });
    await store(tx, { approvalWorkflow, fourEyes });
  });
  return showSettings();
}

/** Rejects a change that waits; whoever has asked for it may, too, which takes it back. Throws like approving it. */
export async function rejectSettingsChange({ principal: { userId } }: SignedIn, id: number) {
  await db.transaction(async (tx) => {
    await lockAdmins(tx);
    await getPending(tx, id);
    await endPending(tx, { status: "Rejected", decidedById: userId });
  });
  return showSettings();
}

async function store(tx: Transaction, write: SettingsWrite): Promise<void> {
  await tx
    .insert(settings)
    .values({ id: 1, ...write })
    .onConflictDoUpdate({ target: settings.id, set: write });
}

const isPending = eq(settingsChanges.status, "Pending");

async function findPending(connection: Connection) {
  const [waiting] = await connection.select().from(settingsChanges).where(isPending);
  return waiting ?? null;
}

async function getPending(tx: Transaction, id: number) {
  const [change] = await tx.select().from(settingsChanges).where(eq(settingsChanges.id, id));
  if (!change) throw new Problem("not_found", "Change of the settings not found");
  if (change.status !== "Pending")
    throw new Problem("conflict", `The change is not pending: it is ${change.status}`);
  return change;
}

async function endPending(
  tx: Transaction,
  decision: { status: "Superseded" } | { status: "Approved" | "Rejected"; decidedById: number },
): Promise<void> {
  await tx
    .update(settingsChanges)
    .set({ ...decision, decidedAt: sql`clock_timestamp()` })
    .where(isPending);
}
