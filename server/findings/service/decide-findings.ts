import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { type Contract, createContractInput } from "../../data-quality/schema.ts";
import { type AddedRule, addRules, saysTheSame } from "../../data-quality/service/add-rules.ts";
import { createContract, getContract, listContracts } from "../../data-quality/service/contracts.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem, problemIn } from "../../errors.ts";
import { ruleNameFor } from "../proposed-rule.ts";
import type { acceptInput, ProposedRule } from "../schema.ts";
import { rankOf } from "../severity.ts";
import { findings } from "../tables.ts";
import { lockFindings, relearn } from "./learn.ts";
import { getFinding } from "./list-findings.ts";

/** What a new contract begins with, until a person says otherwise. */
const everyMorning = "0 6 * * *";

/**
 * Says that a finding is no problem: the same fault is not shown as open again. Throws conflict for one that is
 * accepted, and like `getFinding`.
 */
export async function dismissFinding(
  ctx: SignedIn,
  { id, reason }: { id: number; reason?: string | null | undefined },
) {
  await db.transaction(async (tx) => {
    const finding = await lockedFinding(tx, ctx, id);
    if (finding.status === "Accepted") throw new Problem("conflict", "The finding is already accepted");
    await settle(tx, ctx, finding, { status: "Dismissed", reason: reason?.trim() || null });
  });
  return getFinding(ctx, id);
}

/**
 * Makes a finding a rule: of the contract that is named, or else of the table's first, or of a new one. Accepted once
 * more, nothing changes. Throws rejected where no rule can say it, and for a contract of another table; not_found for
 * a contract that the caller may not see, and like `getFinding`.
 */
export async function acceptFinding(ctx: SignedIn, { id, ...target }: z.output<typeof acceptInput>) {
  await db.transaction(async (tx) => {
    // Of two who accept it at once, the second finds it accepted.
    const finding = await lockedFinding(tx, ctx, id);
    if (finding.status === "Accepted") return;
    const added = ruleOfFinding(finding);
    if (added === null) throw new Problem("rejected", "No rule can describe this finding");
    const accepted = await addRule(ctx, finding, added, target);
    await settle(tx, ctx, finding, { status: "Accepted", contractId: accepted, reason: null });
  });
  return getFinding(ctx, id);
}

/** A finding's rule as a contract takes it; null where no rule can say it. */
export function ruleOfFinding({
  rule,
  kind,
  columns,
  severity,
}: Pick<Stored, "rule" | "kind" | "columns" | "severity">) {
  return rule && { ...rule, severity, name: ruleNameFor(kind, columns) };
}

/**
 * Accepts a finding whose rule a contract has got already. One that is decided, gone, or has another rule by now stays as
 * it is.
 */
export async function acceptAdded(
  ctx: SignedIn,
  { id, contractId, rule }: { id: number; contractId: number; rule: ProposedRule },
): Promise<void> {
  await db.transaction(async (tx) => {
    const finding = await lockedFinding(tx, ctx, id).catch((error) => {
      if (problemIn(error)?.code === "not_found") return null;
      throw error;
    });
    if (finding?.status !== "Open" || !isDeepStrictEqual(finding.rule, rule)) return;
    await settle(tx, ctx, finding, { status: "Accepted", contractId, reason: null });
  });
}

type Stored = typeof findings.$inferSelect;

/** The finding, with those of its project held until the transaction ends. Throws like `getFinding`. */
async function lockedFinding(tx: Transaction, ctx: SignedIn, id: number): Promise<Stored> {
  const { dataSourceId } = await getFinding(ctx, id);
  await lockFindings(tx, dataSourceId);
  const [finding] = await tx.select().from(findings).where(eq(findings.id, id)).for("update");
  if (!finding) throw new Problem("not_found", "Finding not found");
  return finding;
}

/** A decision, and what it says about open findings like it. What is decided is shown as it was judged. */
async function settle(
  tx: Transaction,
  ctx: SignedIn,
  finding: Stored,
  decision: Pick<Stored, "status" | "reason"> & Partial<Pick<Stored, "contractId">>,
): Promise<void> {
  const { id, dataSourceId, kind, unlearned } = finding;
  const judged = {
    confidence: unlearned,
    rank: rankOf({ ...finding, confidence: unlearned }),
    learned: null,
  };
  await tx
    .update(findings)
    .set({ ...decision, ...judged, decidedById: ctx.principal.userId })
    .where(eq(findings.id, id));
  await relearn(tx, dataSourceId, { kind });
}

type Table = { dataSourceId: number; schemaName: string; tableName: string };
type Added = ProposedRule & Pick<AddedRule, "name" | "severity">;

/** Returns the contract that has the rule now. */
async function addRule(
  ctx: SignedIn,
  { dataSourceId, schemaName, tableName }: Table,
  rule: Added,
  { contractId, newContract = false }: Omit<z.output<typeof acceptInput>, "id">,
): Promise<number> {
  const ofTable = (contract: Contract | Awaited<ReturnType<typeof getContract>>) =>
    contract.dataSourceId === dataSourceId &&
    contract.schemaName === schemaName &&
    contract.tableName === tableName;
  const firstOfTable = async () =>
    (await listContracts(ctx, { dataSourceId })).items.filter(ofTable).sort((a, b) => a.id - b.id)[0];
  const contract =
    contractId !== undefined
      ? await getContract(ctx, contractId)
      : newContract
        ? undefined
        : await firstOfTable();
  const target = { dataSourceId, schemaName, tableName };
  if (!contract) {
    const name = `${schemaName}.${tableName}`.slice(0, 200).toWellFormed();
    const write = { ...target, name, cronExpression: everyMorning, rules: [rule] };
    return (await createContract(ctx, createContractInput.parse(write))).id;
  }
  if (!ofTable(contract)) throw new Problem("rejected", "The contract watches another table");
  if (contract.rules.some((each) => saysTheSame(each, rule))) return contract.id;
  const { id } = contract;
  await addRules(ctx, contract, [rule]);
  return id;
}
