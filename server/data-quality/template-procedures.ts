import type { z } from "zod";
import { byId } from "../db/schema-parts.ts";
import { procedureFor } from "../trpc.ts";
import { detachRule, leaveOutRule, listContractTemplates, returnRule } from "./service/contract-templates.ts";
import {
  createTemplate,
  getTemplate,
  listTemplates,
  previewTemplate,
  removeTemplate,
  updateTemplate,
} from "./service/templates.ts";
import {
  createTemplateInput,
  departInput,
  listTemplatesInput,
  previewTemplateInput,
  removeTemplateInput,
  returnInput,
  ruleTemplateSchema,
  ruleTemplatesSchema,
  templatePreviewSchema,
  templateRulesSchema,
  updateTemplateInput,
} from "./templates/schema.ts";

const tag = "Data quality";

/** The audit entry names the rule. */
const ruleNameIn = (
  { items }: z.output<typeof templateRulesSchema>,
  { templateId, column }: z.input<typeof returnInput>,
): string =>
  items.find((each) => each.templateId === templateId && each.column === (column ?? null))?.ruleName ?? "";

/** One rule for many tables. */
export const templateProcedures = {
  templates: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/data-quality/templates", tag, summary: "List rule templates" } })
    .input(listTemplatesInput)
    .output(ruleTemplatesSchema)
    .query(({ ctx, input }) => listTemplates(ctx, input)),

  template: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/data-quality/templates/{id}", tag, summary: "One rule template" },
    })
    .input(byId)
    .output(ruleTemplateSchema)
    .query(({ ctx, input }) => getTemplate(ctx, input.id)),

  previewTemplate: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "POST",
        path: "/data-quality/templates/preview",
        tag,
        summary: "Preview which tables and contracts a rule template would reach",
        description: "By the tables as last read. Nothing is stored.",
        problems: ["not_found"],
      },
    })
    .input(previewTemplateInput)
    .output(templatePreviewSchema)
    .query(({ ctx, input }) => previewTemplate(ctx, input)),

  createTemplate: procedureFor("contracts:configure")
    .meta({
      audit: "ruleTemplate",
      rest: {
        method: "POST",
        path: "/data-quality/templates",
        tag,
        summary: "Create a rule template",
        description:
          "Contracts of matching tables get its rule soon after, each as a new version, and so do tables that match later. `isApplied` says when all have it.",
        status: 201,
        problems: ["not_found", "rejected"],
      },
    })
    .input(createTemplateInput)
    .output(ruleTemplateSchema)
    .mutation(({ ctx, input }) => createTemplate(ctx, input)),

  updateTemplate: procedureFor("contracts:configure")
    .meta({
      audit: "ruleTemplate",
      rest: {
        method: "PUT",
        path: "/data-quality/templates/{id}",
        tag,
        summary: "Update a rule template",
        description:
          "Its rules change in every contract that follows it. Where its patterns no longer match, its rules are removed. With `baseRevision`, returns a 409 if someone has edited it since.",
        problems: ["rejected", "conflict"],
      },
    })
    .input(updateTemplateInput)
    .output(ruleTemplateSchema)
    .mutation(({ ctx, input }) => updateTemplate(ctx, input)),

  removeTemplate: procedureFor("contracts:configure")
    .meta({
      audit: "ruleTemplate",
      rest: {
        method: "DELETE",
        path: "/data-quality/templates/{id}",
        tag,
        summary: "Remove a rule template",
        description:
          "Its rules are removed from the contracts, or stay there as their own. A contract keeps its last rule either way.",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(removeTemplateInput)
    .mutation(async ({ ctx, input }) => {
      await removeTemplate(ctx, input);
    }),

  contractTemplates: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/templates",
        tag,
        summary: "Which of a contract's rules come from which template",
        description: "With those that it leaves out or has detached, and why.",
      },
    })
    .input(byId)
    .output(templateRulesSchema)
    .query(({ ctx, input }) => listContractTemplates(ctx, input.id)),

  leaveOutRule: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      auditDetail: ruleNameIn,
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/templates/{templateId}/leave-out",
        tag,
        summary: "Leave a template's rule out of a contract, with the reason",
        problems: ["conflict", "rejected"],
      },
    })
    .input(departInput)
    .output(templateRulesSchema)
    .mutation(({ ctx, input }) => leaveOutRule(ctx, input)),

  detachRule: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      auditDetail: ruleNameIn,
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/templates/{templateId}/detach",
        tag,
        summary: "Make a template's rule the contract's own, with the reason",
        problems: ["conflict"],
      },
    })
    .input(departInput)
    .output(templateRulesSchema)
    .mutation(({ ctx, input }) => detachRule(ctx, input)),

  returnRule: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      auditDetail: ruleNameIn,
      rest: {
        method: "POST",
        path: "/data-quality/contracts/{id}/templates/{templateId}/return",
        tag,
        summary: "Let a rule that was left out or detached follow its template again",
        problems: ["conflict"],
      },
    })
    .input(returnInput)
    .output(templateRulesSchema)
    .mutation(({ ctx, input }) => returnRule(ctx, input)),
};
