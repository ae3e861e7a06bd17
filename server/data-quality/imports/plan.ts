import { isDeepStrictEqual } from "node:util";
import type { RuleWrite } from "../rule-schema.ts";
import { createContractInput } from "../schema.ts";
import { contractOf, validRules } from "./contract-of.ts";
import { importedOf } from "./imported-rule.ts";
import { mergeTable } from "./merge-table.ts";
import { planDescriptions } from "./plan-descriptions.ts";
import { figuresOf, testsOf } from "./plan-figures.ts";
import type { EarlierTable, Planned, PlanOptions, ShownTable, TableWork } from "./planned.ts";
import { shownRule } from "./shown-rule.ts";
import type { Suite, SuiteTable } from "./suite.ts";
import { Tagging } from "./tagging.ts";

/**
 * What importing a suite changes. What people changed here since the last import is left alone: a rule that differs from
 * what was imported, one that they removed, and a contract that they archived or gave another table. Pure.
 */
export function planOf(suite: Suite, earlier: readonly EarlierTable[], options: PlanOptions): Planned {
  const notCarried = [...suite.notCarried];
  const stillThere = new Set(suite.notCarried.map(({ id }) => id));
  const before = new Map(earlier.map((each) => [each.externalId, each]));
  const tagging = new Tagging(suite, options);
  const tables: { shown: ShownTable; work: TableWork }[] = [];
  const missing = suite.tables.filter(({ exists, rules }) => !exists && rules.length > 0);
  for (const table of suite.tables) {
    if (!table.exists) continue;
    const valid = validRules(table, options, notCarried);
    for (const { id } of table.rules) if (!valid.has(id)) stillThere.add(id);
    const planned = planTable(table, valid, before.get(table.id), {
      ...{ ...options, stillThere, tagging },
    });
    if (planned) tables.push(planned);
  }
  const named = new Set(suite.tables.map(({ id }) => id));
  for (const each of suite.isWhole ? earlier : [])
    if (!named.has(each.externalId)) {
      const planned = planTable(goneTable(each), new Map(), each, { ...options, stillThere, tagging });
      if (planned) tables.push(planned);
    }
  for (const { rules, schemaName, tableName } of missing)
    for (const { id, path, family } of rules)
      notCarried.push({
        id,
        path,
        family,
        reason: `The data source has no table ${schemaName}.${tableName}`,
      });
  const shown = tables.map((each) => each.shown);
  return {
    work: tables.map((each) => each.work),
    shown: {
      ...{
        project: suite.project,
        version: suite.version,
        warnings: [...suite.warnings, ...tagging.warnings()],
        tables: shown,
        notCarried,
      },
      missingTables: missing.map(({ id, schemaName, tableName, rules }) => ({
        ...{ id, tableName, schemaName: schemaName ?? options.defaultSchema },
        tests: testsOf(rules).size,
      })),
      ...figuresOf(shown, notCarried),
    },
  };
}

const goneTable = ({ externalId, schemaName, tableName }: EarlierTable): SuiteTable => ({
  ...{ id: externalId, schemaName, tableName, description: null, owner: null, tags: [], catalogTags: [] },
  ...{ exists: true, columns: [], rules: [] },
});

type TableOptions = PlanOptions & { stillThere: ReadonlySet<string>; tagging: Tagging };

function planTable(
  table: SuiteTable,
  valid: ReadonlyMap<string, RuleWrite>,
  earlier: EarlierTable | undefined,
  options: TableOptions,
): { shown: ShownTable; work: TableWork } | null {
  const schemaName = table.schemaName ?? options.defaultSchema;
  const described = planDescriptions(table, schemaName, earlier, options);
  const tagged = options.tagging.plan(table, earlier);
  const known = earlier?.contract ?? null;
  const work: TableWork = {
    ...{ externalId: table.id, schemaName, tableName: table.tableName, contractId: known?.id ?? null },
    ...{ write: null, archive: false, remembered: [], ...described },
    tags:
      tagged.added.length + tagged.removed.length === 0
        ? null
        : { schemaName, tableName: table.tableName, tags: tagged.tags },
    rememberedTags: tagged.remembered,
  };
  const shown: ShownTable = {
    ...{ id: table.id, schemaName, tableName: table.tableName, owner: table.owner, tags: table.tags },
    contractId: known?.id ?? null,
    contractName: known?.content?.name ?? null,
    ...{ fate: "Unchanged", reason: null, descriptions: described.descriptions.length, rules: [] },
    ...{ addedTags: tagged.added, removedTags: tagged.removed },
  };
  const all = table.rules.flatMap((rule) => {
    const write = valid.get(rule.id);
    return write ? { rule, write } : [];
  });

  if (known === null || (known.content === null && options.again)) {
    if (all.length === 0) {
      const isNews =
        described.descriptions.length > 0 || !isDeepStrictEqual(tagged.remembered, { ...earlier?.tags });
      return isNews ? { shown, work: { ...work, contractId: null } } : null;
    }
    const contract = contractOf(table, options);
    const write = createContractInput.parse({ ...contract, rules: all.map(({ write: rule }) => rule) });
    shown.fate = "New";
    shown.contractId = null;
    shown.contractName = contract.name;
    shown.rules = all.map((each) => shownRule(each, "New"));
    const remembered = all.map(({ rule, write: each }) => ({
      ...{ externalId: rule.id, key: null, imported: importedOf(each) },
    }));
    return { shown, work: { ...work, contractId: null, write, remembered } };
  }

  const { content } = known;
  const isElsewhere =
    content !== null &&
    (content.dataSourceId !== options.dataSourceId ||
      content.schemaName !== earlier?.schemaName ||
      content.tableName !== earlier.tableName);
  if (content === null || isElsewhere) {
    const reason =
      content === null ? "Its contract was archived here" : "Its contract watches another table now";
    shown.fate = "Kept";
    shown.reason = reason;
    shown.rules = all.map((each) => shownRule(each, "Kept", reason));
    // What it was like is still remembered.
    const remembered = (earlier?.rules ?? []).map((rule) => ({ ...rule }));
    return { shown, work: { ...work, ...placeOf(earlier, work), remembered } };
  }
  return mergeTable({
    table,
    schemaName,
    all,
    earlier,
    contract: { id: known.id, content },
    options,
    shown,
    work,
  });
}

const placeOf = (earlier: EarlierTable | undefined, work: TableWork) => ({
  schemaName: earlier?.schemaName ?? work.schemaName,
  tableName: earlier?.tableName ?? work.tableName,
});
