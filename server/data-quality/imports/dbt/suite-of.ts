import type { Severity } from "../../severities.ts";
import type { CheckedTable, Destination } from "../destination.ts";
import { customSqlOf, type NotCarried, type Suite, type SuiteTable } from "../suite.ts";
import { Check, type Draft, type Mapped } from "./check.ts";
import { expectationsTests } from "./expectations-tests.ts";
import { type Reference, referenceIn, withoutJinja } from "./jinja.ts";
import { type DbtNode, type DbtProject, knownVersions } from "./manifest.ts";
import { ownTests } from "./own-tests.ts";
import { thresholdOf } from "./threshold.ts";
import { constraintTests, utilsTests } from "./utils-tests.ts";
import { writtenTest } from "./written-tests.ts";

const packages: Readonly<Record<string, Readonly<Record<string, (check: Check) => Mapped>>>> = {
  dbt: ownTests,
  dbt_utils: utilsTests,
  dbt_expectations: expectationsTests,
  dbt_constraints: constraintTests,
};
/** Their tests compare with what these packages store in tables of their own. */
const withOwnTables = ["elementary", "re_data"];
const maxSql = 19_000;
const tableKinds = ["model", "seed", "snapshot", "source"];

type Known = { table: SuiteTable; checked: CheckedTable };

/** Models, seeds, snapshots, and sources become tables, and tests become their rules. Pure. */
export function suiteOf(project: DbtProject, destination: Destination): Suite {
  const tables = new Map<string, Known>();
  for (const node of project.nodes.values())
    if (isTable(node)) tables.set(node.id, knownTable(node, project, destination));
  const reader = new TestReader(project, tables, destination);
  for (const node of project.nodes.values()) {
    if (node.resource_type === "test" && node.config?.enabled !== false) reader.readTest(node);
    if (node.resource_type === "source") reader.readFreshness(node);
  }
  const unreadable = project.unreadable
    .filter((id) => id.startsWith("test."))
    .map((id) => ({ id, path: id, family: "unknown", reason: "Is not written as dbt writes a test" }));
  return {
    tool: "dbt",
    isWhole: true,
    project: project.name,
    version: versionInWords(project),
    tables: [...tables.values()].map(({ table }) => table),
    notCarried: [...reader.notCarried, ...unreadable],
    warnings: warningsOf(project),
    lineage: lineageOf(project, tables),
  };
}

/** A table is made from those that its node depends on, through ephemeral models, which are no tables. */
function lineageOf({ nodes }: DbtProject, tables: ReadonlyMap<string, Known>): NonNullable<Suite["lineage"]> {
  const parentsOf = (id: string, seen: Set<string>): Known[] => {
    if (seen.has(id)) return [];
    seen.add(id);
    return (nodes.get(id)?.depends_on?.nodes ?? []).flatMap((parent) => {
      const known = tables.get(parent);
      return known ? [known] : parentsOf(parent, seen);
    });
  };
  const nameOf = ({ checked: { schemaName, tableName } }: Known) => ({ schemaName, tableName });
  return [...tables].flatMap(([id, known]) =>
    known.table.exists
      ? parentsOf(id, new Set())
          .filter(({ table }) => table.exists)
          .map((parent) => ({ from: nameOf(parent), to: nameOf(known) }))
      : [],
  );
}

const isTable = ({ resource_type, config }: DbtNode) =>
  tableKinds.includes(resource_type) && config?.materialized !== "ephemeral";

function versionInWords({ schemaVersion, dbtVersion }: DbtProject): string {
  const schema = schemaVersion === null ? "manifest of an unknown version" : `manifest v${schemaVersion}`;
  return dbtVersion === null ? schema : `${schema}, written by dbt ${dbtVersion}`;
}

function warningsOf({ schemaVersion }: DbtProject): string[] {
  const { from, to } = knownVersions;
  if (schemaVersion === null) return ["The manifest does not say its version. What is known of it was read."];
  if (schemaVersion >= from && schemaVersion <= to) return [];
  return [
    `This is a manifest of version ${schemaVersion}, and versions ${from} to ${to} are known. What is known of it was read.`,
  ];
}

function knownTable(node: DbtNode, project: DbtProject, { defaultSchema, find }: Destination): Known {
  const schemaName = node.schema || defaultSchema;
  const tableName = (node.resource_type === "source" ? node.identifier : node.alias) || node.name;
  const found = find(schemaName, tableName);
  const catalog = project.catalog.get(node.id) ?? [];
  const described = Object.values(node.columns ?? {}).flatMap((column) => column ?? []);
  const names = catalog.length > 0 ? catalog : described;
  const checked = found ?? { schemaName, tableName, columns: names.map(({ name }) => name) };
  const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const columns = checked.columns.flatMap((name) => {
    const own = described.find((each) => sameName(each.name, name))?.description;
    const description = own || catalog.find((each) => sameName(each.name, name))?.comment || "";
    return description.trim() === "" ? [] : { name, description: description.trim().slice(0, 4000) };
  });
  return {
    checked,
    table: {
      id: node.id,
      schemaName: checked.schemaName,
      tableName: checked.tableName,
      description: node.description?.trim().slice(0, 4000) || null,
      owner: ownerOf(node),
      tags: tagsOf(node),
      catalogTags: [...new Set([...tagsOf(node), ...described.flatMap(tagsOf)])],
      exists: found !== null,
      columns,
      rules: [],
    },
  };
}

const tagsOf = ({
  tags,
  config,
}: Pick<DbtNode, "tags"> & { config?: { tags: string[] } | null | undefined }) =>
  [...new Set([...tags, ...(config?.tags ?? [])])].slice(0, 50).map((tag) => tag.slice(0, 100));

function ownerOf({ meta, config, group }: DbtNode): string | null {
  const owner = meta?.owner ?? config?.meta?.owner;
  const isNamed = typeof owner === "object" && owner !== null && !Array.isArray(owner);
  const named = isNamed
    ? ((owner as { name?: unknown }).name ?? (owner as { email?: unknown }).email)
    : owner;
  return typeof named === "string" && named.trim() !== ""
    ? named.trim().slice(0, 200)
    : (group?.slice(0, 200) ?? null);
}

class TestReader {
  readonly notCarried: NotCarried[] = [];
  readonly #project: DbtProject;
  readonly #tables: ReadonlyMap<string, Known>;
  readonly #destination: Destination;
  readonly #byName: ReadonlyMap<string, readonly DbtNode[]>;

  constructor(project: DbtProject, tables: ReadonlyMap<string, Known>, destination: Destination) {
    this.#project = project;
    this.#tables = tables;
    this.#destination = destination;
    const named = [...project.nodes.values()].filter((node) => tableKinds.includes(node.resource_type));
    this.#byName = Map.groupBy(named, nameToRefer);
  }

  readTest(node: DbtNode): void {
    const test = this.#asTest(node);
    const target = this.#tableOfTest(node);
    if (typeof target === "string") {
      this.#leaveOut(test, target);
      return;
    }
    const drafts = this.#draftsOf(node, test.namespace, target.checked);
    if ("reason" in drafts) {
      this.#leaveOut(test, drafts.reason);
      return;
    }
    const { rules, notes } = drafts;
    for (const [index, rule] of rules.entries())
      target.table.rules.push({
        id: index === 0 ? node.id : `${node.id}#${index + 1}`,
        path: test.path,
        family: test.family,
        name: nameOf(node, rule),
        type: rule.type,
        column: rule.column ?? null,
        severity: severityOf(node),
        configuration: rule.configuration,
        tags: tagsOf(node),
        notes: [...(rule.notes ?? []), ...notes, ...changedWhere(node)],
        lastStatus: this.#project.results.get(node.id) ?? null,
      });
  }

  /** What dbt says of a source's age is no test, but is a rule here. */
  readFreshness(node: DbtNode): void {
    const { freshness, loaded_at_field: field } = node;
    const known = this.#tables.get(node.id);
    const [isError, after] = limitOf(freshness);
    if (!known || !field || after === null) return;
    const id = `${node.id}#freshness`;
    const place = { id, path: node.original_file_path ?? node.name, family: "source freshness" };
    const { checked, table } = known;
    const check = this.#check(node, checked, freshness?.filter ?? null);
    const column = check.columnIn(field.replace(/::\w+$/, ""));
    if (column === null || check.where?.includes("{{")) {
      this.#leaveOut(place, "The time is an expression, and a Freshness rule needs a column");
      return;
    }
    table.rules.push({
      ...place,
      name: `${column} is recent`,
      type: "Freshness",
      column,
      severity: isError ? "High" : "Low",
      configuration: { maxAgeMinutes: after, ...(check.where !== null && { where: check.where }) },
      tags: tagsOf(node),
      notes: [],
      lastStatus: this.#project.results.get(node.id) ?? null,
    });
  }

  #leaveOut({ id, path, family }: Omit<NotCarried, "reason">, reason: string): void {
    this.notCarried.push({ id, path, family, reason });
  }

  #asTest(node: DbtNode) {
    const { test_metadata: generic, original_file_path: file } = node;
    const path = generic ? `${file ?? ""} › ${node.name}`.replace(/^ › /, "") : (file ?? node.name);
    const namespace = generic ? (generic.namespace ?? ownNamespace(node)) : null;
    const family = !generic
      ? "singular"
      : namespace === "dbt"
        ? generic.name
        : `${namespace ?? node.package_name ?? "?"}.${generic.name}`;
    return { id: node.id, path, namespace, family };
  }

  /** The table that a test is about, or why there is none. */
  #tableOfTest(node: DbtNode): Known | string {
    const model = node.test_metadata?.kwargs?.model;
    const named = typeof model === "string" ? referenceIn(model) : null;
    const ids = [
      ...(node.attached_node ? [node.attached_node] : []),
      ...(named ? [this.#resolve(node, named)?.id ?? ""] : []),
      ...(node.test_metadata && (node.attached_node || named) ? [] : (node.depends_on?.nodes ?? [])),
    ];
    const known = ids.flatMap((id) => this.#tables.get(id) ?? []);
    // Of several tables, the first that exists is as good a place as any.
    const found = known.find(({ table }) => table.exists) ?? known[0];
    if (found) return found;
    const nodes = ids.flatMap((id) => this.#project.nodes.get(id) ?? []);
    return nodes.some(({ config }) => config?.materialized === "ephemeral")
      ? "Is about an ephemeral model, which is no table in the database"
      : "Is about no table that the manifest names";
  }

  #resolve(node: DbtNode, { kind, first, second }: Reference): DbtNode | null {
    const key = kind === "source" ? `source ${first}.${second ?? ""}` : `ref ${second ?? first}`;
    const found = (this.#byName.get(key) ?? []).filter(
      (each) => kind === "source" || second === null || each.package_name === first,
    );
    const needed = node.depends_on?.nodes ?? [];
    return (
      found.find(({ id }) => needed.includes(id)) ??
      found.find((each) => each.package_name === node.package_name) ??
      found[0] ??
      null
    );
  }

  #relationOf(node: DbtNode, reference: Reference): string | null {
    const known = this.#tables.get(this.#resolve(node, reference)?.id ?? "");
    const { quote } = this.#destination.dialect;
    return known ? `${quote(known.checked.schemaName)}.${quote(known.checked.tableName)}` : null;
  }

  #check(node: DbtNode, table: CheckedTable, where: string | null): Check {
    const rendered = (sql: string) => withoutJinja(sql, (reference) => this.#relationOf(node, reference));
    return new Check(node, {
      ...{ dialect: this.#destination.dialect, table, rendered },
      where: where === null || where.trim() === "" ? null : (rendered(where) ?? where),
      tableOf: (text) => {
        const reference = referenceIn(text);
        const other = reference && this.#resolve(node, reference);
        return this.#tables.get(other?.id ?? "")?.checked ?? null;
      },
    });
  }

  #draftsOf(
    node: DbtNode,
    namespace: string | null,
    table: CheckedTable,
  ): { rules: Draft[]; notes: string[] } | { reason: string } {
    if (namespace !== null && withOwnTables.includes(namespace))
      return { reason: `Compares with the history that ${namespace} keeps in tables of its own` };
    const threshold = thresholdOf(node);
    if ("reason" in threshold) return threshold;
    const check = this.#check(node, table, node.config?.where ?? null);
    const name = node.test_metadata?.name ?? "";
    const known = namespace !== null && Object.hasOwn(packages, namespace) ? packages[namespace] : undefined;
    const isReadable = !check.hasJinja && !/\{[{%]/.test(check.where ?? "");
    const counterpart = known && Object.hasOwn(known, name) ? (known[name]?.(check) ?? null) : null;
    if (counterpart !== null && "reason" in counterpart) return counterpart;
    const mapped = isReadable ? counterpart : null;
    const finished = mapped?.map((draft) => finish(draft, check, threshold)) ?? [null];
    const rules = finished.flatMap((draft) => draft ?? []);
    if (rules.length === finished.length) return { rules, notes: threshold.notes };
    return this.#asWritten(node, threshold, isReadable ? check : null);
  }

  /** The query that dbt compiled, or could have, counts the failing rows. */
  #asWritten(
    node: DbtNode,
    { fails, counted, notes }: Threshold,
    check: Check | null,
  ): { rules: Draft[]; notes: string[] } | { reason: string } {
    const compiled = node.compiled_code ?? node.compiled_sql;
    const raw = node.test_metadata ? null : (node.raw_code ?? node.raw_sql);
    const isShort = (raw?.length ?? 0) <= maxSql;
    const sql = compiled?.trim()
      ? compiled
      : raw && isShort
        ? withoutJinja(raw, (reference) => this.#relationOf(node, reference))
        : check && this.#fromMacro(node, check);
    if (!sql)
      return {
        reason:
          "Has no counterpart, and dbt has not compiled it: run dbt compile or dbt build, then import again",
      };
    const query = sql.trim().replace(/[;\s]{1,100}$/, "");
    if (query.length > maxSql) return { reason: `Its query is longer than ${maxSql} characters` };
    if (!this.#destination.dialect.nestsWith && /^(--[^\n]*\n|\s)*with\b/i.test(query))
      return {
        reason: "Its query begins with WITH, which cannot be part of another one in this kind of database",
      };
    const configuration = { sql: customSqlOf(query, counted, fails) };
    return { rules: [{ type: "CustomSql", configuration }], notes };
  }

  /** What the macro of a generic test says, if that can be told without dbt. */
  #fromMacro(node: DbtNode, check: Check): string | null {
    const name = `.test_${node.test_metadata?.name ?? ""}`;
    const ids = (node.depends_on?.macros ?? []).filter((id) => id.endsWith(name));
    const macro = ids.flatMap((id) => this.#project.macros.get(id) ?? [])[0];
    if (!node.test_metadata || !macro) return null;
    const relation = check.relation(check.table);
    const model =
      check.where === null ? relation : `(select * from ${relation} where (\n${check.where}\n)) dbt_subquery`;
    return writtenTest(macro, {
      arguments: new Map([["model", model], ...check.given]),
      macroOf: (wanted, ofPackage) =>
        [...this.#project.macros.values()].find(
          (each) => each.name === wanted && each.package === ofPackage,
        ) ?? null,
      tableOf: (text) => {
        const reference = referenceIn(text);
        return reference && this.#relationOf(node, reference);
      },
    });
  }
}

type Threshold = Exclude<ReturnType<typeof thresholdOf>, { reason: string }>;

/** Types that count failing rows as dbt does. */
const countsRows = ["RowCondition", "Range", "Referential", "Pattern"];

/** With which rows it is about, and how many may fail; null if the type cannot say that. */
function finish(
  draft: Draft,
  { where }: Check,
  { allowed, fails, isUsual, counted }: Threshold,
): Draft | null {
  const { configuration, failing, type } = draft;
  const isOwn = counted === "count(*)" || isUsual;
  if (type === "CustomSql")
    return failing && isOwn
      ? { ...draft, configuration: { sql: customSqlOf(failing, "count(*)", fails) } }
      : null;
  const findsDuplicates = type === "Uniqueness" || type === "UniqueCombination";
  const rows = where === null ? {} : { where, ...(findsDuplicates && { duplicatesAmong: "Rows" }) };
  const complete = { ...draft, configuration: { ...configuration, ...rows } };
  if (isUsual) return complete;
  if (counted !== "count(*)") return null;
  if (allowed !== null && countsRows.includes(type) && !failing)
    return { ...complete, configuration: { ...complete.configuration, maxFailingRows: allowed } };
  if (!failing) return null;
  return { type: "CustomSql", configuration: { sql: customSqlOf(failing, "count(*)", fails) } };
}

/** A project may have its own way to apply `where`, which no file tells. */
function changedWhere({ config, depends_on }: DbtNode): string[] {
  const isOwn = depends_on?.macros.some(
    (id) => id.endsWith(".get_where_subquery") && !id.startsWith("macro.dbt."),
  );
  return isOwn && config?.where?.trim()
    ? [
        "The project changes how dbt applies where, in its macro get_where_subquery. Here it is a condition as written.",
      ]
    : [];
}

const nameToRefer = ({ resource_type, source_name, name }: DbtNode) =>
  resource_type === "source" ? `source ${source_name ?? ""}.${name}` : `ref ${name}`;

/** dbt's own tests have no namespace; nor do those that a project wrote, which may have the same names. */
function ownNamespace({ test_metadata: generic, depends_on }: DbtNode): string | null {
  const name = `test_${generic?.name ?? ""}`;
  const macros = depends_on?.macros ?? [];
  const [macro] = macros.filter((each) => each.endsWith(`.${name}`));
  if (!Object.hasOwn(ownTests, generic?.name ?? "")) return null;
  return macro === undefined || macro === `macro.dbt.${name}` ? "dbt" : null;
}

const severityOf = ({ config }: DbtNode): Severity =>
  config?.severity?.toLowerCase() === "warn" ? "Low" : "High";

/** A name that a person gave, or a short one. */
function nameOf(node: DbtNode, { column, configuration }: Draft): string {
  const generic = node.test_metadata;
  if (!generic) return node.name.slice(0, 200);
  const made = ["", "source_"].flatMap((source) =>
    [`${generic.namespace ?? ""}_`, ""].map(
      (space) => `${source}${space === "_" ? "" : space}${generic.name}_`,
    ),
  );
  if (!made.some((start) => node.name.startsWith(start)))
    return node.name.trim().slice(0, 200) || generic.name;
  const about = column ?? node.column_name ?? detailOf(configuration);
  return (about ? `${about.replace(/\s+/g, " ")}: ${generic.name}` : generic.name).trim().slice(0, 200);
}

function detailOf({ columns, condition }: Record<string, unknown>): string | null {
  if (Array.isArray(columns)) return columns.join(", ").slice(0, 120);
  return typeof condition === "string" ? condition.slice(0, 120) : null;
}

const minutesIn: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };

/** The age from which a source is an error, otherwise a warning; in minutes. */
function limitOf(freshness: DbtNode["freshness"]): [boolean, number | null] {
  for (const [isError, limit] of [
    [true, freshness?.error_after],
    [false, freshness?.warn_after],
  ] as const) {
    const minutes = typeof limit?.period === "string" ? minutesIn[limit.period] : undefined;
    if (typeof limit?.count === "number" && limit.count > 0 && minutes !== undefined)
      return [isError, limit.count * minutes];
  }
  return [false, null];
}
