import { asc, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { fieldChanges, partChanges } from "../../edits/field-changes.ts";
import type { FieldChange } from "../../edits/schema.ts";
import { listEdits } from "../../edits/service.ts";
import { contractRecipients, contracts, rules } from "../tables.ts";
import type { ContractContent } from "../version-schema.ts";
import { contractNotFound, getContractTarget } from "./load-contracts.ts";

/** A contract's edits, oldest first; after a revision, or all that are kept. Throws not_found. */
export async function listContractEdits(
  ctx: SignedIn,
  { id, since }: { id: number; since?: number | undefined },
) {
  await getContractTarget(ctx, id);
  return { items: await listEdits(db, { kind: "Contract", id }, since) };
}

/** Everything an edit writes, as stored: what a version keeps. Owner and silence change without an edit. */
export async function contentOf(tx: Transaction, id: number): Promise<ContractContent> {
  const [row] = await tx.select().from(contracts).where(eq(contracts.id, id));
  if (!row) throw contractNotFound();
  const recipients = await tx
    .select({ id: contractRecipients.recipientId })
    .from(contractRecipients)
    .where(eq(contractRecipients.contractId, id))
    .orderBy(asc(contractRecipients.recipientId));
  const ruleRows = await tx.select().from(rules).where(eq(rules.contractId, id)).orderBy(asc(rules.position));
  return {
    name: row.name,
    description: row.description,
    context: row.context,
    dataSourceId: row.dataSourceId,
    schemaName: row.schemaName,
    tableName: row.tableName,
    cronExpression: row.cronExpression,
    timezone: row.timezone,
    failureThreshold: row.failureThreshold,
    enabled: row.enabled,
    alertOnFailure: row.alertOnFailure,
    reminderHours: row.reminderHours,
    createTasks: row.createTasks,
    samples: row.samples,
    recipientIds: recipients.map((recipient) => recipient.id),
    rules: ruleRows.map(({ id: _, contractId, position, otherDataSourceId, ...rule }) => rule),
  };
}

export function changesBetween(before: ContractContent, after: ContractContent): FieldChange[] {
  const { rules: former, ...fieldsBefore } = before;
  const { rules: latter, ...fieldsAfter } = after;
  return [...fieldChanges(fieldsBefore, fieldsAfter), ...partChanges("rules", former, latter)];
}
