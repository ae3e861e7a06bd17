import type { CustomProperty } from "./document.ts";

/**
 * What the standard has no field for is stored in `customProperties` under names of our own. A table's properties apply
 * to its contract, those at the top of the file to every contract that does not override them, and those of a check to
 * its rule.
 */
export const contractProperties = {
  plumblineName: "name",
  plumblineSchemaName: "schemaName",
  plumblineTableName: "tableName",
  plumblineCronExpression: "cronExpression",
  plumblineTimezone: "timezone",
  plumblineFailureThreshold: "failureThreshold",
  plumblineEnabled: "enabled",
  plumblineAlertOnFailure: "alertOnFailure",
  plumblineReminderHours: "reminderHours",
  plumblineCreateTasks: "createTasks",
  plumblineRecipients: "recipients",
  plumblineSamples: "samples",
  /** Until 3.2, which has a field for it. */
  plumblineContext: "context",
} as const;

export const ruleProperties = {
  plumblineSeverity: "severity",
  plumblineWeight: "weight",
  plumblineEnabled: "enabled",
  plumblinePosition: "position",
  plumblineReads: "reads",
} as const;

/** The engine name of checks that only this service runs. */
export const ownEngine = "plumbline";

/** Known properties by meaning, and the paths of the others. The first of duplicate names counts. */
export function ownProperties<Names extends Record<string, string>>(
  given: readonly CustomProperty[] | null | undefined,
  names: Names,
): { own: Partial<Record<Names[keyof Names], unknown>>; others: number[] } {
  const own: Partial<Record<string, unknown>> = {};
  const others: number[] = [];
  for (const [index, { property, value }] of (given ?? []).entries()) {
    const meaning = Object.hasOwn(names, property) ? names[property] : undefined;
    if (meaning === undefined || Object.hasOwn(own, meaning)) others.push(index);
    else own[meaning] = value;
  }
  return { own: own as Partial<Record<Names[keyof Names], unknown>>, others };
}

/** The inverse; undefined values are omitted. */
export function asCustomProperties<Names extends Record<string, string>>(
  names: Names,
  values: Partial<Record<Names[keyof Names], unknown>>,
): { property: string; value: unknown }[] {
  return Object.entries(names).flatMap(([property, meaning]) => {
    const value = values[meaning as Names[keyof Names]];
    return value === undefined ? [] : { property, value };
  });
}
