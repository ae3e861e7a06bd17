import { stringify } from "yaml";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { hasOptions } from "../rules/rule-options.ts";
import { ruleDefinition } from "../rules/rules.ts";
import { type TableColumn, tableColumn } from "../rules/table-columns.ts";
import type { Contract } from "../schema.ts";
import { checkOf, type WrittenRule } from "./check-of.ts";
import { type WrittenVersion, writtenVersions } from "./document.ts";
import { type NamedSource, withSourceName } from "./other-data-sources.ts";
import { asCustomProperties, contractProperties } from "./own-properties.ts";

export type WrittenContract = Pick<
  Contract,
  | "id"
  | "name"
  | "description"
  | "context"
  | "schemaName"
  | "tableName"
  | "cronExpression"
  | "timezone"
  | "failureThreshold"
  | "enabled"
  | "alertOnFailure"
  | "reminderHours"
  | "createTasks"
  | "samples"
  | "revision"
> & { recipients: readonly { name: string }[]; rules: readonly WrittenRule[] };

/**
 * A contract as a file of the standard. Rules with a column are nested under it, the others under the table.
 *
 * Servers are omitted, since the data source is chosen when importing. For the same reason the schema is only included
 * if it differs from the data source's default.
 */
export function writeOdcs(
  { rules: stored, ...contract }: WrittenContract,
  {
    dialect,
    defaultSchema,
    dataSources,
    version = "3.1",
  }: {
    dialect: Dialect;
    defaultSchema: string;
    dataSources: readonly NamedSource[];
    version?: WrittenVersion;
  },
): string {
  const { tableName, description, context } = contract;
  const rules = stored.map((rule) => withSourceName(rule, dataSources));
  const inOrder = inOrderOfFile(rules);
  const isReordered = inOrder.some((rule, index) => rule !== rules[index]);
  const checks = (column: string | null) =>
    inOrder
      .filter((rule) => rule.column === column)
      .map((rule) =>
        checkOf(rule, {
          dialect,
          schedule: contract.cronExpression,
          position: isReordered ? rules.indexOf(rule) + 1 : undefined,
        }),
      );
  const approved = new Map(approvedColumns(rules).map((column) => [column.name, column]));
  const properties = columnsIn(rules).map((name) => {
    const column = approved.get(name);
    const quality = checks(name);
    return {
      name,
      // For other readers of the file; the rule that compares them is among the table's checks.
      ...(column && { physicalType: column.type, required: !column.nullable }),
      ...(version === "3.2" && listedValues(rules, name)),
      ...(quality.length > 0 && { quality }),
    };
  });
  const quality = checks(null);
  const latencies = rules.flatMap((rule) => {
    const definition = ruleDefinition(rule.type);
    const { latency } = definition.odcs;
    return latency === undefined || hasOptions(definition, rule.configuration)
      ? []
      : { ...rule, minutes: rule.configuration[latency] };
  });
  return stringify(
    {
      apiVersion: writtenVersions[version],
      kind: "DataContract",
      id: `plumbline-contract-${contract.id}`,
      name: contract.name,
      version: `${contract.revision}.0.0`,
      status: "active",
      ...(description && { description: { purpose: description } }),
      schema: [
        {
          name: tableName,
          physicalName: tableName,
          physicalType: "table",
          ...(description && { description }),
          ...(context && version === "3.2" && { context }),
          customProperties: asCustomProperties(contractProperties, {
            ...(contract.schemaName !== defaultSchema && { schemaName: contract.schemaName }),
            // A dot in the name would be read as the separator between schema and table.
            ...(tableName.includes(".") && { tableName }),
            cronExpression: contract.cronExpression,
            timezone: contract.timezone,
            failureThreshold: contract.failureThreshold,
            enabled: contract.enabled,
            alertOnFailure: contract.alertOnFailure,
            reminderHours: contract.reminderHours,
            ...(contract.createTasks && { createTasks: true }),
            recipients: contract.recipients.map(({ name }) => name),
            samples: contract.samples,
            ...(context && version !== "3.2" && { context }),
          }),
          ...(properties.length > 0 && { properties }),
          ...(quality.length > 0 && { quality }),
        },
      ],
      // The standard's own way to limit data age; the rule itself, with the same id, is under its column.
      ...(latencies.length > 0 && {
        slaProperties: latencies.map(({ key, name, column, minutes }) => ({
          id: key,
          property: "latency",
          value: minutes,
          unit: "minutes",
          element: `${tableName}.${column}`,
          description: name,
          scheduler: "cron",
          schedule: contract.cronExpression,
        })),
      }),
    },
    { aliasDuplicateObjects: false, lineWidth: 0 },
  );
}

/** The columns that a person approved, in the table's order, then any others with checks. */
const columnsIn = (rules: readonly WrittenRule[]) => [
  ...new Set([
    ...approvedColumns(rules).map(({ name }) => name),
    ...rules.flatMap(({ column }) => (column === null ? [] : column)),
  ]),
];

/** Those of the first rule that lists them. */
function approvedColumns(rules: readonly WrittenRule[]): TableColumn[] {
  const listing = rules.find(({ type }) => "reads" in ruleDefinition(type));
  return tableColumn.array().safeParse(listing?.configuration.columns).data ?? [];
}

/** The values that a rule allows in every row of a column, for other readers of the file. */
function listedValues(rules: readonly WrittenRule[], name: string) {
  const rule = rules.find(({ type, column, enabled, configuration }) => {
    const definition = ruleDefinition(type);
    return type === "AllowedValues" && column === name && enabled && !hasOptions(definition, configuration);
  });
  const { values } = rule?.configuration ?? {};
  return Array.isArray(values) ? { enum: values.map((value: unknown) => ({ value })) } : {};
}

/** In the order in which an import reads them: the table's first, then column by column. */
function inOrderOfFile(rules: readonly WrittenRule[]): WrittenRule[] {
  const places = [null, ...columnsIn(rules)];
  return places.flatMap((column) => rules.filter((rule) => rule.column === column));
}
