import { isDeepStrictEqual } from "node:util";
import type { RuleWrite } from "../rule-schema.ts";
import { ruleSentence, type SaidRule } from "../rules/rule-sentence.ts";
import { type ContractWrite, createContractInput } from "../schema.ts";
import type { ContractContent } from "../version-schema.ts";
import { catalogTags, type PlannedTags, planTags, type RememberedTags } from "./plan-tags.ts";
import type { ImportPlan, RuleFate, TableFate } from "./schema.ts";
import type { ImportedRule, NotCarried, Suite, SuiteRule, SuiteTable } from "./suite.ts";

/** What was imported before, and what has become of it. */
export type EarlierTable = {
  externalId: string;
  schemaName: string;
  tableName: string;
  descriptions: Readonly<Record<string, string>>;
  tags: RememberedTags;
  /** null without a contract; its content is null if it was archived. */
  contract: { id: number; content: ContractContent | null } | null;
  rules: readonly { key: string; externalId: string; imported: ImportedRule }[];
};

export type PlanOptions = {
  dataSourceId: number;
  defaultSchema: string;
  again: boolean;
  cronExpression: string;
  timezone: string;
  /** Current descriptions by `descriptionKey`. */
  descriptions: ReadonlyMap<string, string>;
  /** The tags that a table has in the catalog. */
  tagsOf: (table: TableName) => readonly string[];
  /** Whether an import of another project gives a table this tag. */
  isTaggedElsewhere: (table: TableName, tag: string) => boolean;
};
type TableName = { schemaName: string; tableName: string };

/** What to store for a table. */
export type TableWork = {
  externalId: string;
  schemaName: string;
  tableName: string;
  contractId: number | null;
  /** The contract to create or to replace; null to leave it. */
  write: ContractWrite | null;
  archive: boolean;
  /** Rules by their test, with their key if they have one: what is remembered of them. */
  remembered: { externalId: string; key: string | null; imported: ImportedRule }[];
  descriptions: { columnName: string | null; description: string }[];
  rememberedDescriptions: Record<string, string>;
  /** All tags of this table, if they change. */
  tags: (TableName & { tags: string[] }) | null;
  rememberedTags: Record<string, boolean>;
};

export type Planned = { shown: ImportPlan; work: TableWork[] };

export const descriptionKey = (schemaName: string, tableName: string, columnName: string | null) =>
  JSON.stringify([schemaName, tableName, columnName]);

const maxRules = 200;

type ShownTable = ImportPlan["tables"][number];
type ShownRule = ShownTable["rules"][number];

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

/** A test may become several rules. */
const testOf = (id: string) => id.replace(/#\d+$/, "");
const testsOf = (rules: readonly { id: string }[]) => new Set(rules.map(({ id }) => testOf(id)));

function figuresOf(tables: readonly ShownTable[], notCarried: readonly NotCarried[]) {
  const rules = tables.flatMap((table) => table.rules);
  const count = (fate: RuleFate) => rules.filter((rule) => rule.fate === fate).length;
  const contracts = (fate: TableFate) => tables.filter((table) => table.fate === fate).length;
  const lost = testsOf(notCarried);
  const carried = new Map(
    rules
      .filter(({ id, fate }) => fate !== "Removed" && !lost.has(testOf(id)))
      .map(({ id, family }) => [testOf(id), family]),
  );
  const all = new Map([...carried, ...notCarried.map(({ id, family }) => [testOf(id), family] as const)]);
  const families = [...Map.groupBy(all, ([, family]) => family)]
    .map(([family, tests]) => ({
      family,
      tests: tests.length,
      carried: tests.filter(([id]) => carried.has(id)).length,
    }))
    .toSorted((a, b) => b.tests - a.tests || (a.family < b.family ? -1 : 1));
  return {
    families,
    totals: {
      tests: all.size,
      carried: carried.size,
      contracts: { new: contracts("New"), updated: contracts("Updated"), archived: contracts("Archived") },
      rules: {
        new: count("New"),
        updated: count("Updated"),
        unchanged: count("Unchanged"),
        kept: count("Kept"),
        removed: count("Removed"),
      },
      descriptions: tables.reduce((sum, table) => sum + table.descriptions, 0),
      tags: tables.reduce((sum, table) => sum + table.addedTags.length + table.removedTags.length, 0),
    },
  };
}

/** The rules that a contract can have, by their test; the others are not carried over. */
function validRules(
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

function contractOf(
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

function mergeTable({
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
  options: TableOptions;
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

/** As it is stored. */
/** A Schema rule keeps the columns that were approved: otherwise every import would approve what has changed. */
function withApproval(write: RuleWrite, current: ContractContent["rules"][number]): RuleWrite {
  if (write.type !== "Schema" || current.type !== "Schema") return write;
  const { columns } = current.configuration as typeof write.configuration;
  return { ...write, configuration: { ...write.configuration, columns } };
}

const importedOf = ({
  name,
  type,
  column,
  severity,
  weight,
  enabled,
  configuration,
}: RuleWrite): ImportedRule =>
  JSON.parse(JSON.stringify({ name, type, column, severity, weight, enabled, configuration }));

function isSame(one: ImportedRule, other: ImportedRule): boolean {
  const compared = ({ name, type, column, severity, weight, enabled, configuration }: ImportedRule) =>
    JSON.parse(JSON.stringify({ name, type, column, severity, weight, enabled, configuration })) as unknown;
  return isDeepStrictEqual(compared(one), compared(other));
}

/** What a plan says of a check, and in words the rule that it becomes, or that stays in its place. */
function shownRule(
  { rule, write }: { rule: SuiteRule; write: SaidRule },
  fate: RuleFate,
  reason: string | null = null,
): ShownRule {
  const { id, path, family, name, notes, tags, lastStatus } = rule;
  return {
    ...{ id, path, family, name, type: write.type, sentence: sentenceOf(write) },
    ...{ fate, reason, notes, tags, lastStatus },
  };
}

const goneRule = (
  { externalId }: { externalId: string },
  rule: ImportedRule,
  fate: RuleFate,
  reason: string,
): ShownRule => ({
  ...{ id: externalId, path: externalId, family: rule.type, name: rule.name, type: rule.type },
  ...{ sentence: sentenceOf(rule), fate, reason, notes: [], tags: [], lastStatus: null },
});

/** The longest is that of a query, whose beginning says enough. */
const maxSentence = 500;

function sentenceOf(rule: SaidRule): string {
  const sentence = ruleSentence(rule);
  return sentence.length > maxSentence ? `${sentence.slice(0, maxSentence)}…` : sentence;
}

/** Descriptions fill what nobody described, and follow the tool as long as nobody changes them here. */
function planDescriptions(
  table: SuiteTable,
  schemaName: string,
  earlier: EarlierTable | undefined,
  { descriptions }: PlanOptions,
) {
  const wanted = [
    ...(table.description === null ? [] : [{ columnName: null, description: table.description }]),
    ...table.columns.map(({ name, description }) => ({ columnName: name, description })),
  ];
  const remembered: Record<string, string> = Object.assign(Object.create(null), earlier?.descriptions);
  const written = wanted.filter(({ columnName, description }) => {
    const now = descriptions.get(descriptionKey(schemaName, table.tableName, columnName));
    const last = remembered[columnName ?? ""];
    const isOurs = now === undefined ? last === undefined : now === last;
    if (isOurs) remembered[columnName ?? ""] = description;
    return isOurs && now !== description;
  });
  return { descriptions: written, rememberedDescriptions: { ...remembered } };
}

/** Tags of the tables of one import. A table may come from several nodes, such as a model and a source. */
class Tagging {
  readonly #options: PlanOptions;
  readonly #wanted = new Map<string, readonly string[]>();
  /** Of tables that were planned already. */
  readonly #planned = new Map<string, readonly string[]>();
  readonly #unfit = new Set<string>();
  readonly #full = new Set<string>();

  constructor({ tables }: Suite, options: PlanOptions) {
    this.#options = options;
    for (const [key, same] of Map.groupBy(tables, (table) => keyOfTable(this.#placeOf(table)))) {
      const { fitting, others } = catalogTags(same.flatMap((table) => table.catalogTags));
      this.#wanted.set(key, fitting);
      for (const other of others) this.#unfit.add(other);
    }
  }

  plan(table: SuiteTable, earlier: EarlierTable | undefined): PlannedTags {
    const place = this.#placeOf(table);
    const key = keyOfTable(place);
    const { tagsOf, isTaggedElsewhere, again } = this.#options;
    // What is remembered of a table that has moved since is about another one.
    const isSamePlace = earlier !== undefined && keyOfTable(earlier) === key;
    const planned = planTags({
      now: this.#planned.get(key) ?? tagsOf(place),
      wanted: this.#wanted.get(key) ?? [],
      remembered: isSamePlace ? earlier.tags : {},
      again,
      isElsewhere: (tag) => isTaggedElsewhere(place, tag),
    });
    this.#planned.set(key, planned.tags);
    for (const tag of planned.leftOut) this.#full.add(`${place.tableName}: ${tag}`);
    return planned;
  }

  warnings(): string[] {
    const listed = (all: ReadonlySet<string>) =>
      `${[...all].slice(0, 10).join(", ")}${all.size > 10 ? `, and ${all.size - 10} more` : ""}`;
    return [
      ...(this.#unfit.size === 0
        ? []
        : [`Tags with signs that tags of the catalog cannot have are left out: ${listed(this.#unfit)}`]),
      ...(this.#full.size === 0
        ? []
        : [`Tables with too many tags do not get all of them: ${listed(this.#full)}`]),
    ];
  }

  #placeOf({ schemaName, tableName }: SuiteTable): TableName {
    return { schemaName: schemaName ?? this.#options.defaultSchema, tableName };
  }
}

const keyOfTable = ({ schemaName, tableName }: TableName) => JSON.stringify([schemaName, tableName]);
