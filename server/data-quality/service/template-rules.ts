import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import type { Kind } from "../../data-sources/kinds.ts";
import { readColumnNames } from "../../data-sources/service/known-tables.ts";
import { loadProjectTags, type TagsOf } from "../../data-sources/service/table-tags.ts";
import type { Connection, Transaction } from "../../db/client.ts";
import { invalidRequest } from "../../errors.ts";
import type { RuleWrite } from "../rule-schema.ts";
import { rules } from "../tables.ts";
import { matcherOf, rulesGiven, type Selector, type Table, type Template } from "../templates/matches.ts";
import { isSameCheck, type Link, mergeRules } from "../templates/merge-rules.ts";
import { ruleTemplates, templateRules } from "../templates/tables.ts";

/** What a project's templates give a contract, within the transaction that writes its rules. */

type StoredRule = typeof rules.$inferSelect;

/** A stored rule as it was written. */
export const writtenRule = ({
  key,
  name,
  type,
  column,
  severity,
  weight,
  enabled,
  configuration,
}: StoredRule) => ({ key, name, type, column, severity, weight, enabled, configuration }) satisfies RuleWrite;

/** A project's templates, the oldest first; not those that are being removed. */
export async function loadTemplates(connection: Connection, projectId: number): Promise<Template[]> {
  const rows = await connection
    .select()
    .from(ruleTemplates)
    .where(and(eq(ruleTemplates.projectId, projectId), isNull(ruleTemplates.removedAt)))
    .orderBy(asc(ruleTemplates.id));
  const tagsOf = await tagsFor(connection, projectId, rows);
  return rows.map(({ id, enabled, rule, selector }) => ({
    ...{ id, enabled, rule },
    matcher: matcherOf(selector, tagsOf),
  }));
}

/** The tags of a project's tables, if any of these templates asks for them. */
export async function tagsFor(
  connection: Connection,
  projectId: number,
  templates: readonly { selector: Selector }[],
): Promise<TagsOf> {
  const asks = templates.some(({ selector }) => (selector.tags ?? []).length > 0);
  return asks ? loadProjectTags(connection, [projectId]) : () => [];
}

/** What each contract has of templates, or parts with. */
export async function loadLinks(
  connection: Connection,
  contractIds: readonly number[],
): Promise<Map<number, Link[]>> {
  const rows = await connection
    .select()
    .from(templateRules)
    .where(inArray(templateRules.contractId, [...contractIds]))
    .orderBy(asc(templateRules.templateId), asc(templateRules.columnName));
  const byContract = Map.groupBy(rows, ({ contractId }) => contractId);
  return new Map(
    [...byContract].map(([contractId, own]) => [
      contractId,
      own.map(({ templateId, columnName, key, departure }) => ({
        ...{ templateId, key, departure },
        column: columnName === "" ? null : columnName,
      })),
    ]),
  );
}

type Complete = { rules: RuleWrite[]; links: Link[] };

/** A contract's rules as written, completed by those that templates give its table. */
export async function withTemplateRules(
  tx: Transaction,
  {
    contractId,
    target,
    projectId,
    kind,
    written,
    isOtherTable = false,
  }: {
    contractId?: number;
    target: Table;
    projectId: number;
    kind: Kind;
    written: readonly RuleWrite[];
    isOtherTable?: boolean;
  },
): Promise<Complete> {
  const templates = await loadTemplates(tx, projectId);
  const links = contractId === undefined ? [] : ((await loadLinks(tx, [contractId])).get(contractId) ?? []);
  if (templates.length === 0 && links.length === 0) return { rules: [...written], links: [] };
  const columnsOf = await readColumnNames(tx, { dataSourceId: target.dataSourceId, kind, table: target });
  return completed(templates, {
    ...{ table: target, columns: columnsOf(target), dialect: dialectFor(kind), written, links },
    kept: isOtherTable ? [] : links.filter(({ departure }) => departure === null),
  });
}

export function completed(
  templates: readonly Template[],
  {
    table,
    columns,
    dialect,
    written,
    links,
    kept,
  }: {
    table: Table;
    columns: readonly string[];
    dialect: Dialect;
    written: readonly RuleWrite[];
    links: readonly Link[];
    /** The links whose rules stay even if the table was last read without their columns. */
    kept: readonly Link[];
  },
): Complete {
  return mergeRules(written, links, rulesGiven(templates, { table, columns }, dialect, kept));
}

export function dialectFor(kind: Kind): Dialect {
  const dialect = dialectOf(kind);
  if (!dialect) throw new Error("A contract's data source is a database");
  return dialect;
}

/** Stores links that are new or changed. A contract keeps its last rule as its own by itself, and says so. */
export async function storeLinks(tx: Transaction, contractId: number, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  await tx
    .insert(templateRules)
    .values(
      links.map(({ column, departure, ...link }) => ({
        ...{ ...link, contractId, columnName: column ?? "", departure },
        ...(departure !== null && { reason: lastRule, departedAt: sql`now()` }),
      })),
    )
    .onConflictDoUpdate({
      target: [templateRules.contractId, templateRules.templateId, templateRules.columnName],
      set: {
        key: sql`excluded.key`,
        departure: sql`excluded.departure`,
        reason: sql`excluded.reason`,
        departedById: null,
        departedAt: sql`excluded.departed_at`,
      },
    });
}

const lastRule = "It was the contract's last rule, and a contract needs one";

/** Throws invalid if a rule that follows a template is changed here. Left out of the list, it stays as it is. */
export async function rejectTemplateEdits(
  tx: Transaction,
  contractId: number,
  written: readonly RuleWrite[],
): Promise<void> {
  const rows = await tx
    .select({ rule: rules, templateName: ruleTemplates.name })
    .from(templateRules)
    .innerJoin(ruleTemplates, eq(ruleTemplates.id, templateRules.templateId))
    .innerJoin(rules, and(eq(rules.contractId, templateRules.contractId), eq(rules.key, templateRules.key)))
    .where(and(eq(templateRules.contractId, contractId), isNull(templateRules.departure)));
  const byKey = new Map(rows.map((row) => [row.rule.key, row]));
  const errors = written.flatMap((rule, index) => {
    const found = rule.key === undefined ? undefined : byKey.get(rule.key);
    if (!found || isUnchanged(found.rule, rule)) return [];
    const message = `comes from the template “${found.templateName}” and can only be changed there; leave it out or detach it to have another one here`;
    return { path: `rules.${index}`, message };
  });
  if (errors.length > 0) throw invalidRequest(errors);
}

const isUnchanged = (stored: StoredRule, rule: RuleWrite): boolean =>
  stored.name === rule.name && stored.enabled === rule.enabled && isSameCheck(stored, rule);

/** A link's place in the table of links. */
export const isLink = (contractId: number, { templateId, column }: Pick<Link, "templateId" | "column">) =>
  and(
    eq(templateRules.contractId, contractId),
    eq(templateRules.templateId, templateId),
    eq(templateRules.columnName, column ?? ""),
  );
