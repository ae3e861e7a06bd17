import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { FieldError } from "../../errors.ts";
import { cronProblem } from "../../jobs/cron.ts";
import { ruleDefinition } from "../rules/rules.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { contextOf } from "./context-of.ts";
import type { OdcsDocument, QualityCheck, SchemaObject, SchemaProperty } from "./document.ts";
import { enumCheck, saysSame } from "./enum-check.ts";
import { freshnessRules } from "./latency.ts";
import { type NamedSource, withSourceId } from "./other-data-sources.ts";
import { contractProperties, ownProperties } from "./own-properties.ts";
import { type CheckPlace, NotRead, type Path } from "./reading.ts";
import { type ReadRule, ruleOf } from "./rule-of.ts";
import type { SqlTarget } from "./sql-of-metric.ts";
import { type Unmapped, UnmappedParts } from "./unmapped.ts";

/** Where a file is imported. */
export type Destination = {
  dataSourceId: number;
  dialect: Dialect;
  defaultSchema: string;
  /** By name; a project may have several of the same name. */
  recipients: readonly { id: number; name: string }[];
  /** The data sources of the project. */
  dataSources: readonly NamedSource[];
};

export type ReadFile = {
  contracts: ContractInput[];
  unmapped: Unmapped[];
  /** Values that do not fit a contract, by their path in the file. */
  errors: FieldError[];
};

type OwnProperties = ReturnType<typeof ownProperties<typeof contractProperties>>["own"];

/** The schedule of contracts that specify none; the time is in UTC. */
const defaultSchedule = "0 6 * * *";

/** The contracts described by a file: one for each table with rules, in the file's order. */
export function contractsOf(document: OdcsDocument, destination: Destination): ReadFile {
  const unmapped = new UnmappedParts();
  const shared = ownProperties(document.customProperties, contractProperties);
  const tables = document.schema ?? [];
  reportTop(document, shared.others, unmapped);

  const checked = new Map<number, ReadRule[]>();
  const targets = tables.map((table, index) => {
    const own = { ...shared.own, ...ownProperties(table.customProperties, contractProperties).own };
    const target = targetOf(table, own, document, destination);
    const rules = rulesOf(table, target, ["schema", index], unmapped);
    checked.set(
      index,
      rules.flatMap((rule) => withSourceId(rule, destination.dataSources, unmapped) ?? []),
    );
    return { table, own, target, path: ["schema", index] };
  });
  const latencies = freshnessRules(document, checked, unmapped);

  const withRules = targets.flatMap(({ path, ...each }, index) => {
    const rules = inOrder([...(checked.get(index) ?? []), ...(latencies.get(index) ?? [])]);
    if (rules.length === 0) unmapped.add(path, "Has no rules, so no contract was created");
    return rules.length === 0 ? [] : { ...each, path, rules: withOwnKeys(rules, unmapped) };
  });
  const errors: FieldError[] = [];
  const sharedContext = contextOf(document.context, ["context"], unmapped);
  const contracts = withRules.map(({ table, own, target, path, rules }) => {
    reportTable(table, rules, path, unmapped);
    const input = {
      name: own.name ?? nameOf(document, table, withRules.length),
      description: (table.description ?? document.description?.purpose) || null,
      context: contextOf(table.context ?? own.context, [...path, "context"], unmapped) ?? sharedContext,
      dataSourceId: destination.dataSourceId,
      ...(target.schemaName !== destination.defaultSchema && { schemaName: target.schemaName }),
      tableName: target.tableName,
      cronExpression: scheduleOf(own.cronExpression, rules, document, path, unmapped),
      ...fieldsOf(own),
      enabled: own.enabled ?? document.status.toLowerCase() === "active",
      recipientIds: recipientsOf(own.recipients, destination, path, unmapped),
      rules: rules.map(({ rule }) => rule),
    } as ContractInput;
    errors.push(...errorsIn(input, path, rules));
    return input;
  });
  return { contracts, unmapped: unmapped.all(), errors };
}

function fieldsOf({
  timezone,
  failureThreshold,
  alertOnFailure,
  reminderHours,
  createTasks,
  samples,
}: OwnProperties) {
  return {
    ...(timezone !== undefined && { timezone }),
    ...(failureThreshold !== undefined && { failureThreshold }),
    ...(alertOnFailure !== undefined && { alertOnFailure }),
    ...(reminderHours !== undefined && { reminderHours }),
    ...(createTasks !== undefined && { createTasks }),
    ...(samples !== undefined && { samples }),
  };
}

function reportTop(document: OdcsDocument, others: readonly number[], unmapped: UnmappedParts): void {
  const read = ["kind", "apiVersion", "id", "version", "status", "name", "description", "context", "schema"];
  unmapped.addOthers(document, [...read, "slaProperties", "slaDefaultElement", "customProperties"], []);
  unmapped.addOthers(document.description ?? {}, ["purpose"], ["description"]);
  for (const index of others) unmapped.add(["customProperties", index], "Is not a property of a contract");
  if (document.status.toLowerCase() !== "active")
    unmapped.add(["status"], "Is not active, so the schedule is off by default");
}

function reportTable(
  table: SchemaObject,
  rules: readonly ReadRule[],
  path: Path,
  unmapped: UnmappedParts,
): void {
  const read = ["name", "physicalName", "physicalType", "logicalType", "description", "context"];
  unmapped.addOthers(table, [...read, "customProperties", "properties", "quality"], path);
  const { others } = ownProperties(table.customProperties, contractProperties);
  for (const index of others)
    unmapped.add([...path, "customProperties", index], "Is not a property of a contract");
  // A rule that approves the columns says the same of them.
  const areApproved = rules.some(({ rule }) => "reads" in ruleDefinition(rule.type));
  const known = [
    "name",
    "physicalName",
    "quality",
    "enum",
    ...(areApproved ? ["physicalType", "required"] : []),
  ];
  for (const [index, property] of (table.properties ?? []).entries())
    unmapped.addOthers(property, known, [...path, "properties", index]);
}

/**
 * `schema.table` is split into schema and table, unless our custom properties say otherwise; with more parts, the last
 * two count.
 */
function targetOf(
  { name, physicalName }: SchemaObject,
  own: OwnProperties,
  document: OdcsDocument,
  { dialect, defaultSchema }: Destination,
): SqlTarget {
  const parts = own.tableName === undefined ? (physicalName ?? name).split(".") : [String(own.tableName)];
  const tableName = parts.at(-1) ?? name;
  const schemaName = own.schemaName ?? parts.at(-2) ?? schemaOfServers(document) ?? defaultSchema;
  return { dialect, schemaName: String(schemaName), tableName };
}

/** The schema, if all servers in the file have the same. */
function schemaOfServers({ servers }: OdcsDocument): string | null {
  const [schema, ...others] = new Set((servers ?? []).map((server) => server.schema ?? null));
  return schema !== undefined && others.length === 0 ? schema : null;
}

function rulesOf(table: SchemaObject, target: SqlTarget, path: Path, unmapped: UnmappedParts): ReadRule[] {
  const read = (checks: readonly QualityCheck[] | null | undefined, column: string | null, at: Path) =>
    (checks ?? []).flatMap((check, index) => {
      const place = { target, column, path: [...at, "quality", index] };
      return ruleOf(check, place, unmapped) ?? [];
    });
  return [
    ...read(table.quality, null, path),
    ...(table.properties ?? []).flatMap((property, index) => {
      const { name, physicalName, quality } = property;
      const at = [...path, "properties", index];
      const rules = read(quality, physicalName ?? name, at);
      const place = { target, column: physicalName ?? name, path: [...at, "enum"] };
      return [...rules, ...listedValues(property, rules, place, unmapped)];
    }),
  ];
}

/** The rule for a column's `enum`, unless one of its checks says the same. */
function listedValues(
  property: SchemaProperty,
  rules: readonly ReadRule[],
  place: CheckPlace,
  unmapped: UnmappedParts,
): ReadRule[] {
  try {
    const check = enumCheck(property);
    if (!check || rules.some(({ rule }) => saysSame(check, rule.configuration))) return [];
    const rule = ruleOf(check, place, unmapped);
    return rule ? [rule] : [];
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    unmapped.add(place.path, error.message);
    return [];
  }
}

/** Rules with a position come in that order, the others after them. */
function inOrder(rules: readonly ReadRule[]): ReadRule[] {
  return rules.toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || 0);
}

function withOwnKeys(rules: readonly ReadRule[], unmapped: UnmappedParts): ReadRule[] {
  const keys = new Set<string>();
  return rules.map(({ rule: { key, ...rule }, ...read }) => {
    if (key === undefined) return { ...read, rule };
    if (!keys.has(key)) {
      keys.add(key);
      return { ...read, rule: { ...rule, key } };
    }
    unmapped.add([...read.path, "id"], "Is used by another rule of the table; the rule gets a new key");
    return { ...read, rule };
  });
}

function nameOf(document: OdcsDocument, table: SchemaObject, tables: number): string {
  const own = document.name?.trim();
  const name = !own ? table.name : tables === 1 ? own : `${own}: ${table.name}`;
  return name.slice(0, 200);
}

/** A contract has one schedule, whereas in the standard each check can have its own. */
function scheduleOf(
  own: unknown,
  rules: readonly ReadRule[],
  document: OdcsDocument,
  path: Path,
  unmapped: UnmappedParts,
): unknown {
  const given = rules.flatMap((read) => {
    const { scheduler, schedule } = partAt(document, read.path);
    return schedule ? { schedule, scheduler, path: [...read.path, "schedule"] } : [];
  });
  const usable = given.filter(
    ({ schedule, scheduler }) => (scheduler ?? "cron").toLowerCase() === "cron" && !cronProblem(schedule),
  );
  const chosen = own ?? usable[0]?.schedule ?? defaultSchedule;
  for (const each of given)
    if (!usable.includes(each)) unmapped.add(each.path, "Is not a five-field cron expression");
    else if (each.schedule.trim() !== String(chosen).trim())
      unmapped.add(each.path, `A contract has one schedule: ${String(chosen).slice(0, 200)}`);
  if (own === undefined && usable.length === 0) {
    const what = given.length === 0 ? "schedule" : "supported schedule";
    unmapped.add(path, `Has no ${what}; ${defaultSchedule} in UTC is used`);
  }
  return chosen;
}

type Scheduled = { scheduler?: string | null; schedule?: string | null };

function partAt(document: OdcsDocument, path: Path): Scheduled {
  const part = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], document);
  return part as Scheduled;
}

/** Finds recipients by name in the data source's project. */
function recipientsOf(names: unknown, { recipients }: Destination, path: Path, unmapped: UnmappedParts) {
  const listed: unknown[] = Array.isArray(names) ? names : names === undefined ? [] : [names];
  return listed.flatMap((name) => {
    const found = recipients.filter((recipient) => recipient.name === name);
    const [recipient] = found;
    const shown = String(name).slice(0, 200);
    if (!recipient) unmapped.add([...path, "customProperties"], `The project has no recipient "${shown}"`);
    else if (found.length > 1)
      unmapped.add(
        [...path, "customProperties"],
        `The project has several recipients "${shown}"; the first is used`,
      );
    return recipient ? recipient.id : [];
  });
}

/** Maps validation errors to their origin in the file. */
function errorsIn(input: ContractInput, path: Path, rules: readonly ReadRule[]): FieldError[] {
  const parsed = createContractInput.safeParse(input);
  return (parsed.error?.issues ?? []).map((issue) => {
    const [field, index, ...rest] = issue.path as (string | number)[];
    const rule = field === "rules" && typeof index === "number" ? rules[index] : undefined;
    const place = rule ? [...rule.path, ...rest] : [...path, ...(issue.path as (string | number)[])];
    const message =
      issue.code === "unrecognized_keys" ? `${issue.keys.join(", ")}: is not known` : issue.message;
    return { path: place.join("."), message };
  });
}
