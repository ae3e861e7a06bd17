import type { RuleWrite } from "../rule-schema.ts";
import { createContractInput, maxRules } from "../schema.ts";
import type { ContractContent } from "../version-schema.ts";
import { importedOf, isSame } from "./imported-rule.ts";
import type { EarlierTable, PlanOptions, ShownTable, TableWork } from "./planned.ts";
import { goneRule, shownRule } from "./shown-rule.ts";
import type { ImportedRule, SuiteRule, SuiteTable } from "./suite.ts";

/**
 * The contract's rules after an import: what people changed here since the last one stays, and the rest follows the tests.
 * `stillThere` has the tests that are not carried over this time, whose rules stay, too.
 */
export function mergeTable({
  table,
  schemaName,
  all,
  earlier,
  contract,
  options,
  shown,
  work,
}: {
  table: SuiteTable;
  schemaName: string;
  all: readonly { rule: SuiteRule; write: RuleWrite }[];
  earlier: EarlierTable | undefined;
  contract: { id: number; content: ContractContent };
  options: Pick<PlanOptions, "again"> & { stillThere: ReadonlySet<string> };
  shown: ShownTable;
  work: TableWork;
}): { shown: ShownTable; work: TableWork } {
  const { content } = contract;
  const tests = new Map(all.map((each) => [each.rule.id, each]));
  const recordOf = new Map((earlier?.rules ?? []).map((rule) => [rule.key, rule]));
  const recorded = new Map((earlier?.rules ?? []).map((rule) => [rule.externalId, rule]));
  const present = new Set(content.rules.map(({ key }) => key));
  const rules: (ContractContent["rules"][number] | (RuleWrite & { key?: string | undefined }))[] = [];
  let changes = 0;

  for (const current of content.rules) {
    const record = recordOf.get(current.key);
    if (!record) {
      rules.push(current);
      continue;
    }
    const isUntouched = isSame(current, record.imported);
    const found = tests.get(record.externalId);
    const test = found && { ...found, write: withApproval(found.write, current) };
    const remember = (imported: ImportedRule) =>
      work.remembered.push({ externalId: record.externalId, key: record.key, imported });
    if (test && isSame(current, test.write)) {
      rules.push(current);
      remember(importedOf(test.write));
      shown.rules.push(shownRule(test, "Unchanged"));
    } else if (test && isUntouched) {
      changes += 1;
      rules.push({ ...test.write, key: current.key });
      remember(importedOf(test.write));
      shown.rules.push(shownRule(test, "Updated"));
    } else if (test) {
      rules.push(current);
      remember(record.imported);
      shown.rules.push(shownRule({ rule: test.rule, write: current }, "Kept", "Was changed here"));
    } else if (options.stillThere.has(record.externalId)) {
      rules.push(current);
      remember(record.imported);
      shown.rules.push(
        goneRule(record, current, "Kept", "Its test is still there, but not carried over this time"),
      );
    } else if (isUntouched) {
      changes += 1;
      shown.rules.push(goneRule(record, current, "Removed", "Its test is gone"));
    } else {
      rules.push(current);
      remember(record.imported);
      shown.rules.push(goneRule(record, current, "Kept", "Its test is gone, but it was changed here"));
    }
  }
  for (const { rule, write } of all) {
    const record = recorded.get(rule.id);
    if (record && present.has(record.key)) continue;
    if (record && !options.again) {
      work.remembered.push({ ...record });
      shown.rules.push(shownRule({ rule, write }, "Kept", "Was removed here"));
    } else if (rules.length >= maxRules) {
      shown.rules.push(
        shownRule({ rule, write }, "Kept", `The contract has ${maxRules} rules, and cannot have more`),
      );
    } else {
      changes += 1;
      rules.push(write);
      work.remembered.push({ externalId: rule.id, key: null, imported: importedOf(write) });
      shown.rules.push(shownRule({ rule, write }, "New"));
    }
  }

  if (rules.length === 0) {
    shown.fate = "Archived";
    shown.reason = "All of its tests are gone";
    return { shown, work: { ...work, archive: true, contractId: contract.id } };
  }
  const isMoved = content.schemaName !== schemaName || content.tableName !== table.tableName;
  if (changes > 0 || isMoved) {
    shown.fate = "Updated";
    shown.reason = isMoved ? `Is ${schemaName}.${table.tableName} now` : null;
    const fields = { ...content, schemaName, tableName: table.tableName };
    work.write = createContractInput.parse({ ...fields, rules: rules.map(asInput) });
  }
  return { shown, work };
}

const asInput = ({
  name,
  type,
  column,
  severity,
  weight,
  enabled,
  configuration,
  key,
}: ImportedRule & { key?: string | undefined }) => ({
  ...{ name, type, severity, weight, enabled, configuration },
  ...(column !== null && { column }),
  ...(key !== undefined && { key }),
});

/** A Schema rule keeps the columns that were approved: otherwise every import would approve what has changed. */
function withApproval(write: RuleWrite, current: ContractContent["rules"][number]): RuleWrite {
  if (write.type !== "Schema" || current.type !== "Schema") return write;
  const { columns } = current.configuration as typeof write.configuration;
  return { ...write, configuration: { ...write.configuration, columns } };
}
