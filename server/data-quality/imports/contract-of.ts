import type { RuleWrite } from "../rule-schema.ts";
import { createContractInput, maxRules } from "../schema.ts";
import type { PlanOptions } from "./planned.ts";
import type { NotCarried, SuiteRule, SuiteTable } from "./suite.ts";

/** The rules that a contract can have, by their test; the others are not carried over. */
export function validRules(
  table: SuiteTable,
  options: PlanOptions,
  notCarried: NotCarried[],
): Map<string, RuleWrite> {
  const valid = new Map<string, RuleWrite>();
  for (const rule of table.rules) {
    const written = createContractInput.safeParse({ ...contractOf(table, options), rules: [inputOf(rule)] });
    const [first] = written.data?.rules ?? [];
    if (first && valid.size < maxRules) valid.set(rule.id, first);
    else {
      const [issue] = written.error?.issues ?? [];
      const place = issue?.path.slice(2).join(".");
      const reason = issue
        ? `Does not fit a rule: ${place ? `${place} ` : ""}${issue.message}`
        : `A contract has at most ${maxRules} rules`;
      notCarried.push({ id: rule.id, path: rule.path, family: rule.family, reason });
    }
  }
  return valid;
}

const inputOf = ({ name, type, column, severity, configuration }: SuiteRule) => ({
  ...{ name, type, severity, configuration },
  ...(column !== null && { column }),
});

export function contractOf(
  table: SuiteTable,
  { dataSourceId, defaultSchema, cronExpression, timezone }: PlanOptions,
) {
  const schemaName = table.schemaName ?? defaultSchema;
  const place = schemaName === defaultSchema ? table.tableName : `${schemaName}.${table.tableName}`;
  return {
    name: (table.contractName ?? `${place} (dbt)`).slice(0, 200),
    description: descriptionOf(table),
    ...{ dataSourceId, schemaName, cronExpression, timezone },
    tableName: table.tableName,
  };
}

function descriptionOf({ id, description, owner, tags }: SuiteTable): string {
  const facts = [
    `Imported from ${id}.`,
    ...(owner === null ? [] : [`Owner: ${owner}.`]),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.join(", ")}.`]),
  ].join(" ");
  return [description?.slice(0, 3000), facts].filter(Boolean).join("\n\n").slice(0, 4000);
}
