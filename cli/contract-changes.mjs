import { isDeepStrictEqual } from "node:util";

/**
 * @typedef {{ field: string, from: unknown, to: unknown }} Difference
 * @typedef {{ kind: "create" | "update" | "same", name: string, table: string, id?: number,
 *   differences: Difference[], body: Record<string, unknown>, revision?: number }} Change
 */

/** What a file can say about a contract, besides its rules. */
const fields = [
  ...[
    "name",
    "description",
    "context",
    "schemaName",
    "tableName",
    "cronExpression",
    "timezone",
    "failureThreshold",
  ],
  ...["enabled", "alertOnFailure", "reminderHours", "createTasks", "samples", "recipientIds"],
];
const ruleFields = ["type", "column", "severity", "weight", "enabled", "configuration"];

/** What a rule is when its file does not say. */
const ruleDefaults = { column: null, severity: "Medium", weight: 1, enabled: true };

/**
 * What would have to change for the contracts of a data source to be as a file says. A contract is the same one if it
 * has the same name, or else if it is the only one of its table; a rule, if it has the same name. What the file leaves
 * out stays as it is. Contracts that the file does not have are left alone.
 *
 * @param {any[]} wanted as an import's preview has them
 * @param {any[]} present as the service lists them
 * @returns {Change[]}
 */
export function changesOf(wanted, present) {
  const taken = new Set();
  return wanted.map((contract) => {
    const free = present.filter(({ id }) => !taken.has(id));
    const ofTable = free.filter((each) => isOfTable(each, contract));
    const found =
      free.find(({ name }) => name === contract.name) ?? (ofTable.length === 1 ? ofTable[0] : null);
    const { name, schemaName, tableName } = contract;
    const table = [schemaName, tableName].filter(Boolean).join(".");
    if (!found) return { kind: "create", name, table, differences: [], body: contract };
    taken.add(found.id);
    return updateOf(contract, found, { name, table: `${found.schemaName}.${found.tableName}` });
  });
}

/**
 * @param {any} present
 * @param {any} wanted
 */
const isOfTable = (present, wanted) =>
  present.tableName === wanted.tableName &&
  (wanted.schemaName === undefined || present.schemaName === wanted.schemaName);

/**
 * @param {any} wanted
 * @param {any} found
 * @param {{ name: string, table: string }} named
 * @returns {Change}
 */
function updateOf(wanted, found, named) {
  const present = { ...found, recipientIds: found.recipients.map((/** @type {any} */ { id }) => id) };
  const differences = fields
    .filter((field) => wanted[field] !== undefined && !isSame(wanted[field], present[field]))
    .map((field) => ({ field, from: present[field], to: wanted[field] }));
  const keyOf = new Map(found.rules.map((/** @type {any} */ rule) => [rule.name, rule]));
  const rules = wanted.rules.map((/** @type {any} */ rule) => {
    const before = keyOf.get(rule.name);
    return { ...ruleDefaults, ...rule, ...(before && { key: before.key }) };
  });
  differences.push(...ruleDifferences(rules, found.rules));
  const kept = Object.fromEntries([...fields, "dataSourceId"].map((field) => [field, present[field]]));
  return {
    ...{ kind: differences.length === 0 ? "same" : "update", ...named, id: found.id, differences },
    ...{ revision: found.revision, body: { ...kept, ...wanted, rules } },
  };
}

/**
 * @param {any[]} wanted
 * @param {any[]} present
 * @returns {Difference[]}
 */
function ruleDifferences(wanted, present) {
  const names = new Set(wanted.map(({ name }) => name));
  const removed = present
    .filter(({ name }) => !names.has(name))
    .map(({ name, type }) => ({ field: `rule ${name}`, from: type, to: undefined }));
  const others = wanted.flatMap((rule) => {
    const before = present.find(({ name }) => name === rule.name);
    if (!before) return [{ field: `rule ${rule.name}`, from: undefined, to: rule.type }];
    return ruleFields
      .map((field) => ({ field, from: valueIn(before, field), to: valueIn(rule, field) }))
      .filter(({ from, to }) => !isSame(from, to))
      .map(({ field, from, to }) => ({ field: `rule ${rule.name}: ${field}`, from, to }));
  });
  return [...others, ...removed];
}

/**
 * The column is the same value in both of its places.
 * @param {any} rule
 * @param {string} field
 */
function valueIn(rule, field) {
  if (field === "column") return rule.column ?? rule.configuration?.column ?? null;
  if (field !== "configuration") return rule[field];
  const { column: _, ...rest } = rule.configuration ?? {};
  return rest;
}

/**
 * @param {unknown} a
 * @param {unknown} b
 */
const isSame = (a, b) => isDeepStrictEqual(normal(a), normal(b));

/**
 * The order of names in an object, and whether a bound is a number or the same number as text, say nothing.
 * @param {unknown} value
 * @returns {unknown}
 */
function normal(value) {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, normal(each)]),
  );
}

/**
 * @param {Change[]} changes
 */
export function changesText(changes) {
  const lines = changes.map(({ kind, name, table, id, differences }) => {
    const sign = { create: "+", update: "~", same: " " }[kind];
    const head = `${sign} ${name} (${table})${id === undefined ? "" : ` #${id}`}${kind === "same" ? ": as in the file" : ""}`;
    return [head, ...differences.map(differenceText)].join("\n");
  });
  const count = (/** @type {string} */ kind) => changes.filter((each) => each.kind === kind).length;
  const total = `${count("create")} to create, ${count("update")} to change, ${count("same")} as in the file`;
  return `${[...lines, total].join("\n")}\n`;
}

/** @param {Difference} difference */
function differenceText({ field, from, to }) {
  if (from === undefined) return `    + ${field}: ${shown(to)}`;
  if (to === undefined) return `    - ${field}: ${shown(from)}`;
  return `    ~ ${field}: ${shown(from)} → ${shown(to)}`;
}

/** @param {unknown} value */
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
