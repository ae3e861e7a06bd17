import type { CustomProperty } from "./document.ts";

/**
 * What the standard has no word for stands in `customProperties`, under names of our own. Those of a table belong
 * to its contract, those at the top of the file to every contract that does not say otherwise, and those of a check
 * to its rule.
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
  plumblineRecipients: "recipients",
  plumblineSamples: "samples",
} as const;

export const ruleProperties = {
  plumblineSeverity: "severity",
  plumblineWeight: "weight",
  plumblineEnabled: "enabled",
  plumblinePosition: "position",
  plumblineReads: "reads",
} as const;

/** The engine of checks that only this service runs. */
export const ownEngine = "plumbline";

/** Those that are known, by what they mean; and where the others stand. A name that comes twice counts once. */
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

/** The other way round; what is undefined is left out. */
export function asCustomProperties<Names extends Record<string, string>>(
  names: Names,
  values: Partial<Record<Names[keyof Names], unknown>>,
): { property: string; value: unknown }[] {
  return Object.entries(names).flatMap(([property, meaning]) => {
    const value = values[meaning as Names[keyof Names]];
    return value === undefined ? [] : { property, value };
  });
}
