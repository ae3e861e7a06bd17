import { and, asc, eq, isNotNull, or } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { rejectManaged } from "../../stacks/service.ts";
import { contracts, rules } from "../tables.ts";
import { nameFor } from "../templates/rule-for.ts";
import type { Departure, departInput, returnInput } from "../templates/schema.ts";
import { ruleTemplates, templateRules } from "../templates/tables.ts";
import { reviseRules } from "./apply-templates.ts";
import { getContractTarget } from "./load-contracts.ts";
import { isLink, withTemplateRules } from "./template-rules.ts";

const ruleNotFound = () => new Problem("not_found", "The contract has no such rule of a template");

/** Which of a contract's rules come from which template, and which it leaves out or has detached. Throws like `getContract`. */
export async function listContractTemplates(ctx: SignedIn, id: number) {
  await getContractTarget(ctx, id);
  const rows = await db
    .select({ link: templateRules, template: ruleTemplates, contract: contracts, ruleName: rules.name })
    .from(templateRules)
    .innerJoin(ruleTemplates, eq(ruleTemplates.id, templateRules.templateId))
    .innerJoin(contracts, eq(contracts.id, templateRules.contractId))
    .leftJoin(rules, and(eq(rules.contractId, templateRules.contractId), eq(rules.key, templateRules.key)))
    .where(and(eq(templateRules.contractId, id), or(isNotNull(rules.id), isNotNull(templateRules.departure))))
    .orderBy(asc(ruleTemplates.name), asc(ruleTemplates.id), asc(templateRules.columnName));
  const people = await namesOfUsers(rows.map(({ link }) => link.departedById));
  return {
    items: rows.map(({ link, template, contract, ruleName }) => {
      const column = link.columnName === "" ? null : link.columnName;
      return {
        ...{ templateId: template.id, templateName: template.name, column, ruleKey: link.key },
        ruleName: ruleName ?? nameFor(template.rule.name, { ...contract, column }),
        ...{ departure: link.departure, reason: link.reason, at: link.departedAt },
        by: people.get(link.departedById ?? 0) ?? null,
      };
    }),
  };
}

type Depart = z.output<typeof departInput>;

/**
 * Removes a template's rule from a contract, with the reason. Throws rejected for its only rule, not_found like
 * `getContract` and if it has no such rule, and conflict if it has parted with it already.
 */
export const leaveOutRule = (ctx: SignedIn, given: Depart) => depart(ctx, given, "LeftOut");

/** Makes a template's rule the contract's own, which the template no longer changes. Throws like `leaveOutRule`. */
export const detachRule = (ctx: SignedIn, given: Depart) => depart(ctx, given, "Detached");

async function depart(ctx: SignedIn, { id, reason, ...place }: Depart, departure: Departure) {
  await change(ctx, id, async (tx) => {
    // A rule of its own would be one that its file does not have.
    if (departure === "Detached") await rejectManaged(tx, ctx, { kind: "Contract", id });
    const { link, hasRule } = await lockLink(tx, id, place);
    if (link.departure !== null)
      throw new Problem("conflict", "The contract has left this rule out or detached it already");
    if (!hasRule) throw ruleNotFound();
    if (departure === "LeftOut" && (await tx.$count(rules, eq(rules.contractId, id))) === 1)
      throw new Problem("rejected", "It is the contract's only rule. Archive the contract instead.");
    return { departure, reason, departedById: ctx.principal.userId, departedAt: new Date(), place };
  });
  return listContractTemplates(ctx, id);
}

/** Lets a rule follow its template again, if the template still has one for it. Throws not_found and conflict. */
export async function returnRule(ctx: SignedIn, { id, ...place }: z.output<typeof returnInput>) {
  await change(ctx, id, async (tx) => {
    const { link } = await lockLink(tx, id, place);
    if (link.departure === null) throw new Problem("conflict", "The rule follows its template already");
    return { departure: null, reason: null, departedById: null, departedAt: null, place };
  });
  return listContractTemplates(ctx, id);
}

type Place = { templateId: number; column: string | null };
type Change = Pick<
  typeof templateRules.$inferSelect,
  "departure" | "reason" | "departedById" | "departedAt"
> & { place: Place };

/** Changes a link, and with it the contract's rules. */
async function change(ctx: SignedIn, id: number, decide: (tx: Transaction) => Promise<Change>) {
  const { dataSourceId } = await getContractTarget(ctx, id);
  const { projectId, kind } = await getDataSource(ctx, dataSourceId);
  await db.transaction(async (tx) => {
    // The contract first, as everything that writes its rules does.
    await tx.select({ id: contracts.id }).from(contracts).where(eq(contracts.id, id)).for("update");
    const { place, ...set } = await decide(tx);
    await tx.update(templateRules).set(set).where(isLink(id, place));
    await reviseRules(tx, id, {
      author: ctx,
      next: (target, written) => withTemplateRules(tx, { contractId: id, target, projectId, kind, written }),
    });
  });
}

async function lockLink(tx: Transaction, contractId: number, place: Place) {
  const [found] = await tx
    .select({ link: templateRules, ruleId: rules.id })
    .from(templateRules)
    .leftJoin(rules, and(eq(rules.contractId, templateRules.contractId), eq(rules.key, templateRules.key)))
    .where(isLink(contractId, place));
  if (!found) throw ruleNotFound();
  return { link: found.link, hasRule: found.ruleId !== null };
}
