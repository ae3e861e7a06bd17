import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { invalidRequest, Problem } from "../../errors.ts";
import { sendEvents } from "../../jobs/client.ts";
import { getProject } from "../../projects/service.ts";
import { claimManaged, releaseManaged } from "../../stacks/service.ts";
import { templatesChanged } from "../events.ts";
import { contracts, rules } from "../tables.ts";
import {
  maxNewContracts,
  type previewTemplateInput,
  type removeTemplateInput,
  type TemplateWrite,
  type updateTemplateInput,
} from "../templates/schema.ts";
import { ruleTemplates, templateRules } from "../templates/tables.ts";
import { previewOf } from "./preview-template.ts";

const templateNotFound = () => new Problem("not_found", "Rule template not found");
const isPresent = isNull(ruleTemplates.removedAt);

/** The templates of the projects that the caller can access, by name. */
export async function listTemplates(ctx: SignedIn, { projectId }: { projectId?: number | undefined }) {
  const inProject = projectId === undefined ? undefined : eq(ruleTemplates.projectId, projectId);
  return { items: await load(and(inVisibleProject(ctx.principal, ruleTemplates.projectId), inProject)) };
}

/** Throws not_found if there is no such template, or the caller cannot access its project. */
export async function getTemplate({ principal }: SignedIn, id: number) {
  const [template] = await load(eq(ruleTemplates.id, id));
  if (!template || !maySeeProject(principal, template.projectId)) throw templateNotFound();
  return template;
}

/**
 * Stores a template, and lets a job apply it. Throws not_found for a project or data source that the caller cannot
 * access, and invalid for a data source of another project or one that is not a database.
 */
export async function createTemplate(
  ctx: SignedIn,
  { projectId, ...write }: TemplateWrite & { projectId: number },
) {
  await getProject(ctx, projectId);
  await requireFitting(ctx, { projectId, ...write });
  const { userId } = ctx.principal;
  const id = await db.transaction(async (tx) => {
    const [created] = await tx
      .insert(ruleTemplates)
      .values({ projectId, ...write, createdById: userId, updatedById: userId })
      .returning({ id: ruleTemplates.id });
    if (!created) throw new Error("The insert returned no template");
    await claimManaged(tx, ctx, { kind: "RuleTemplate", id: created.id, projectId, revision: 1 });
    await sendEvents(tx, templatesChanged.create({ projectId }));
    return created.id;
  });
  return getTemplate(ctx, id);
}

/** Throws like `createTemplate`, and conflict if the caller's revision is no longer current. */
export async function updateTemplate(
  ctx: SignedIn,
  { id, baseRevision, ...write }: z.output<typeof updateTemplateInput>,
) {
  const { projectId } = await getTemplate(ctx, id);
  await requireFitting(ctx, { projectId, ...write });
  await db.transaction(async (tx) => {
    const [current] = await tx
      .select()
      .from(ruleTemplates)
      .where(and(eq(ruleTemplates.id, id), isPresent))
      .for("update");
    if (!current) throw templateNotFound();
    if (baseRevision !== undefined && baseRevision !== current.revision)
      throw new Problem(
        "conflict",
        `The template is at revision ${current.revision}, but this edit is based on ${baseRevision}.`,
        { members: { revision: current.revision } },
      );
    const revision = current.revision + 1;
    await claimManaged(tx, ctx, { kind: "RuleTemplate", id, projectId, revision });
    await tx
      .update(ruleTemplates)
      .set({ ...write, revision, updatedById: ctx.principal.userId })
      .where(eq(ruleTemplates.id, id));
    await sendEvents(tx, templatesChanged.create({ projectId }));
  });
  return getTemplate(ctx, id);
}

/** Removes a template. Its rules stay as the contracts' own, or a job removes them. Returns its name. */
export async function removeTemplate(
  ctx: SignedIn,
  { id, rules: what }: z.output<typeof removeTemplateInput>,
) {
  const { name, projectId } = await getTemplate(ctx, id);
  await db.transaction(async (tx) => {
    await releaseManaged(tx, ctx, { kind: "RuleTemplate", id });
    if (what === "Keep") await tx.delete(ruleTemplates).where(eq(ruleTemplates.id, id));
    else {
      await tx
        .update(ruleTemplates)
        .set({ removedAt: sql`now()`, revision: sql`${ruleTemplates.revision} + 1` })
        .where(eq(ruleTemplates.id, id));
      await sendEvents(tx, templatesChanged.create({ projectId }));
    }
  });
  return { name };
}

/** What a template would reach, by the tables as last read. Throws like `createTemplate`. */
export async function previewTemplate(ctx: SignedIn, input: z.output<typeof previewTemplateInput>) {
  await getProject(ctx, input.projectId);
  await requireSources(ctx, input);
  return previewOf(ctx, input);
}

type Draft = Pick<TemplateWrite, "selector" | "rule" | "newContracts"> & { projectId: number };

async function requireFitting(ctx: SignedIn, draft: Draft): Promise<void> {
  await requireSources(ctx, draft);
  if (draft.newContracts === null) return;
  const { newContractCount } = await previewOf(ctx, draft);
  if (newContractCount > maxNewContracts)
    throw new Problem(
      "rejected",
      `It would create ${newContractCount} contracts, but at most ${maxNewContracts} at once. Narrow its patterns.`,
    );
}

async function requireSources(ctx: SignedIn, { projectId, selector }: Draft): Promise<void> {
  const known = new Map(
    (await listDataSources(ctx, { projectId })).items.map((source) => [source.id, source]),
  );
  const errors = selector.dataSourceIds.flatMap((id, index) => {
    const path = `selector.dataSourceIds.${index}`;
    const source = known.get(id);
    if (!source) return { path, message: "is not a data source of the project" };
    return source.kind === "RestApi" ? { path, message: "must be a database" } : [];
  });
  if (errors.length > 0) throw invalidRequest(errors);
}

async function load(which: SQL | undefined) {
  const counts = db
    .select({
      templateId: templateRules.templateId,
      contractCount:
        sql<number>`count(distinct ${templateRules.contractId}) filter (where ${templateRules.departure} is null and ${rules.id} is not null)::integer`.as(
          "contract_count",
        ),
      ruleCount:
        sql<number>`count(${rules.id}) filter (where ${templateRules.departure} is null)::integer`.as(
          "rule_count",
        ),
      departedCount: sql<number>`count(${templateRules.departure})::integer`.as("departed_count"),
    })
    .from(templateRules)
    .innerJoin(contracts, and(eq(contracts.id, templateRules.contractId), isNull(contracts.archivedAt)))
    .leftJoin(rules, and(eq(rules.contractId, templateRules.contractId), eq(rules.key, templateRules.key)))
    .groupBy(templateRules.templateId)
    .as("counts");
  const rows = await db
    .select({
      template: ruleTemplates,
      contractCount: sql<number>`coalesce(${counts.contractCount}, 0)`,
      ruleCount: sql<number>`coalesce(${counts.ruleCount}, 0)`,
      departedCount: sql<number>`coalesce(${counts.departedCount}, 0)`,
    })
    .from(ruleTemplates)
    .leftJoin(counts, eq(counts.templateId, ruleTemplates.id))
    .where(and(which, isPresent))
    .orderBy(asc(ruleTemplates.name), asc(ruleTemplates.id));
  const people = await namesOfUsers(
    rows.flatMap(({ template: { createdById, updatedById } }) => [createdById, updatedById]),
  );
  return rows.map(({ template, ...counted }) => {
    const { removedAt: _, appliedRevision, createdById, updatedById, ...fields } = template;
    return {
      ...{ ...fields, ...counted, isApplied: appliedRevision === fields.revision },
      createdBy: people.get(createdById) ?? null,
      updatedBy: people.get(updatedById) ?? null,
    };
  });
}
