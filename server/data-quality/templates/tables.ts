import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { users } from "../../auth/tables.ts";
import { createdAt, id, moment, updatedAt } from "../../db/columns.ts";
import { projects } from "../../projects/tables.ts";
import { contracts } from "../tables.ts";
import type { Selector } from "./matches.ts";
import type { TemplateRule } from "./rule-for.ts";
import { departures, type NewContracts } from "./schema.ts";

export const templateDeparture = pgEnum("template_departure", departures);

/** A rule for every table or column of a project that its selector matches. */
export const ruleTemplates = pgTable(
  "rule_templates",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text().notNull(),
    selector: jsonb().$type<Selector>().notNull(),
    rule: jsonb().$type<TemplateRule>().notNull(),
    /** The schedule of contracts that it creates for tables without one; null if it creates none. */
    newContracts: jsonb().$type<NewContracts>(),
    enabled: boolean().notNull().default(true),
    revision: integer().notNull().default(1),
    /** The revision that every contract has; null before the first time. */
    appliedRevision: integer(),
    createdById: integer()
      .notNull()
      .references(() => users.id),
    updatedById: integer()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** When its removal was requested; the row goes once its rules have left the contracts. */
    removedAt: moment(),
  },
  (t) => [
    // A project's templates.
    index("rule_templates_project_idx").on(t.projectId),
  ],
);

/** Which rule of a contract comes from which template, and where a contract parts with it. */
export const templateRules = pgTable(
  "template_rules",
  {
    contractId: integer()
      .notNull()
      .references(() => contracts.id, { onDelete: "cascade" }),
    templateId: integer()
      .notNull()
      .references(() => ruleTemplates.id, { onDelete: "cascade" }),
    /** Empty for a rule about the table. */
    columnName: text().notNull(),
    /** The rule's key, which it keeps while it is left out, so that its series continues. */
    key: uuid().notNull(),
    /** null while the rule follows the template. */
    departure: templateDeparture(),
    reason: text(),
    departedById: integer().references(() => users.id),
    departedAt: moment(),
  },
  (t) => [
    // A contract's rules from templates, and one of them.
    primaryKey({ columns: [t.contractId, t.templateId, t.columnName] }),
    // A template's rules, for its counts and the foreign key.
    index("template_rules_template_idx").on(t.templateId),
  ],
);
