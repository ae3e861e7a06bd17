import { asc, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { fieldChanges, partChanges } from "../../edits/field-changes.ts";
import { listEdits } from "../../edits/service.ts";
import { contractRecipients, contracts, rules } from "../tables.ts";
import { contractNotFound, getContractTarget } from "./load-contracts.ts";

/** A contract's edits, oldest first; after a revision, or all that are kept. Throws not_found. */
export async function listContractEdits(
  ctx: SignedIn,
  { id, since }: { id: number; since?: number | undefined },
) {
  await getContractTarget(ctx, id);
  return { items: await listEdits(db, { kind: "Contract", id }, since) };
}

type State = { fields: Record<string, unknown>; rules: { key: string; name: string }[] };

/** Everything an edit writes, as stored. */
export async function editedState(tx: Transaction, id: number): Promise<State> {
  const [row] = await tx.select().from(contracts).where(eq(contracts.id, id));
  if (!row) throw contractNotFound();
  const recipients = await tx
    .select({ id: contractRecipients.recipientId })
    .from(contractRecipients)
    .where(eq(contractRecipients.contractId, id))
    .orderBy(asc(contractRecipients.recipientId));
  const ruleRows = await tx.select().from(rules).where(eq(rules.contractId, id)).orderBy(asc(rules.position));
  const { id: _, revision, nextRunAt, createdAt, updatedAt, archivedAt, ...rest } = row;
  // These change without an edit.
  const { ownerId, silencedUntil, silencedById, silenceReason, ...fields } = rest;
  return {
    fields: { ...fields, recipientIds: recipients.map((recipient) => recipient.id) },
    rules: ruleRows.map(({ id: _, contractId, position, ...rule }) => rule),
  };
}

export const changesBetween = (before: State, after: State) => [
  ...fieldChanges(before.fields, after.fields),
  ...partChanges("rules", before.rules, after.rules),
];
