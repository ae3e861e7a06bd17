import { eq, sql } from "drizzle-orm";
import type { SignedIn } from "../auth/principal.ts";
import { hasOtherAdmin, lockAdmins, wasAdminBefore } from "../auth/service/admins.ts";
import { type NamedUser, namesOfUsers } from "../auth/service/user-names.ts";
import { type Connection, db, type Transaction } from "../db/client.ts";
import { env } from "../env.ts";
import { Problem } from "../errors.ts";
import type { SettingsWrite } from "./schema.ts";
import { settings, settingsChanges } from "./tables.ts";
import { weakens } from "./weakens.ts";

/** The current settings: what an Admin has set, otherwise the configuration. */
export async function getSettings(connection: Connection = db): Promise<SettingsWrite> {
  const [set] = await connection.select().from(settings);
  const { APPROVAL_WORKFLOW, APPROVAL_FOUR_EYES } = env();
  return {
    approvalWorkflow: set?.approvalWorkflow ?? APPROVAL_WORKFLOW,
    fourEyes: set?.fourEyes ?? APPROVAL_FOUR_EYES,
  };
}

type Shown = SettingsWrite & {
  revision: number;
  pendingChange?: SettingsWrite & { id: number; requester: NamedUser; createdAt: Date };
};

/** The same, with the change that is waiting for another Admin, if any. */
export async function showSettings(): Promise<Shown> {
  const [holds, revision, waiting] = await Promise.all([getSettings(), revisionOf(db), findPending(db)]);
  if (!waiting) return { ...holds, revision };
  const { id, approvalWorkflow, fourEyes, requestedById, createdAt } = waiting;
  const requester = (await namesOfUsers([requestedById])).get(requestedById);
  if (!requester) throw new Error(`User ${requestedById} is gone`);
  return { ...holds, revision, pendingChange: { id, approvalWorkflow, fourEyes, requester, createdAt } };
}

/** When an Admin last changed the settings; null if they come from the configuration. */
export async function findSettingsOrigin(): Promise<{ setAt: Date | null }> {
  const [set] = await db.select({ setAt: settings.updatedAt }).from(settings);
  return { setAt: set?.setAt ?? null };
}

/**
 * Changes the settings of every process, overriding the configuration. With four eyes on, turning approval off waits
 * for another Admin, unless there is nobody to ask. A pending change is superseded: the last request counts. Throws
 * conflict if the caller's revision is no longer current, and forbidden if a service account would weaken them.
 */
export async function updateSettings(
  { principal }: SignedIn,
  { baseRevision, ...write }: SettingsWrite & { baseRevision?: number | undefined },
) {
  await db.transaction(async (tx) => {
    // Locked, so that nobody loses the Admin role or changes the settings at the same time.
    await lockAdmins(tx);
    await rejectStale(tx, baseRevision);
    await endPending(tx, { status: "Superseded" });
    const isWeaker = weakens(await getSettings(tx), write);
    if (isWeaker) requirePerson(principal, "turn off approval or four eyes");
    const { userId } = principal;
    if (isWeaker && (await hasOtherAdmin(tx, userId)))
      await tx.insert(settingsChanges).values({ ...write, requestedById: userId });
    else await store(tx, write);
  });
  return showSettings();
}

/**
 * Approves a pending change, which takes effect at once. Throws not_found; conflict if it is no longer pending;
 * and forbidden for the requester, for a service account, and for someone who became an Admin after the request.
 */
export async function approveSettingsChange({ principal }: SignedIn, id: number) {
  requirePerson(principal, "decide about settings");
  const { userId } = principal;
  await db.transaction(async (tx) => {
    await lockAdmins(tx);
    const { requestedById, createdAt, approvalWorkflow, fourEyes } = await getPending(tx, id);
    if (requestedById === userId) throw new Problem("forbidden", "Someone else must approve your change");
    if (!(await wasAdminBefore(tx, userId, createdAt)))
      throw new Problem("forbidden", "It must be approved by someone who was an Admin when it was requested");
    await endPending(tx, { status: "Approved", decidedById: userId });
    await store(tx, { approvalWorkflow, fourEyes });
  });
  return showSettings();
}

/** Rejects a pending change; the requester may do so too, to withdraw it. Throws like approving it. */
export async function rejectSettingsChange({ principal }: SignedIn, id: number) {
  requirePerson(principal, "decide about settings");
  const { userId } = principal;
  await db.transaction(async (tx) => {
    await lockAdmins(tx);
    await getPending(tx, id);
    await endPending(tx, { status: "Rejected", decidedById: userId });
  });
  return showSettings();
}

/** Throws forbidden for a service account: whoever has its key would ask in its name, and approve that in their own. */
function requirePerson({ isServiceAccount }: SignedIn["principal"], what: string): void {
  if (isServiceAccount) throw new Problem("forbidden", `Only a person can ${what}`);
}

async function store(tx: Transaction, write: SettingsWrite): Promise<void> {
  const set = { ...write, revision: (await revisionOf(tx)) + 1 };
  await tx
    .insert(settings)
    .values({ id: 1, ...set })
    .onConflictDoUpdate({ target: settings.id, set });
}

async function rejectStale(tx: Transaction, baseRevision: number | undefined): Promise<void> {
  const revision = await revisionOf(tx);
  if (baseRevision === undefined || baseRevision === revision) return;
  const { approvalWorkflow, fourEyes } = await getSettings(tx);
  const now = `approval workflow ${approvalWorkflow ? "on" : "off"}, four eyes ${fourEyes ? "on" : "off"}`;
  throw new Problem(
    "conflict",
    `The settings are at revision ${revision}, but this edit is based on ${baseRevision}: now ${now}.`,
    { members: { revision } },
  );
}

async function revisionOf(connection: Connection): Promise<number> {
  const [set] = await connection.select({ revision: settings.revision }).from(settings);
  return set?.revision ?? 1;
}

const isPending = eq(settingsChanges.status, "Pending");

async function findPending(connection: Connection) {
  const [waiting] = await connection.select().from(settingsChanges).where(isPending);
  return waiting ?? null;
}

async function getPending(tx: Transaction, id: number) {
  const [change] = await tx.select().from(settingsChanges).where(eq(settingsChanges.id, id));
  if (!change) throw new Problem("not_found", "Settings change not found");
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
