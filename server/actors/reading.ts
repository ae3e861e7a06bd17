import { z } from "zod";
import { timezone } from "../db/schema-parts.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import { storable } from "../text.ts";
import type { BriefedTable } from "./briefing.ts";
import { escaped } from "./planner/plain-text.ts";
import { choiceLabel, wishesInWords } from "./wish-words.ts";
import { wishedChecks } from "./wished-checks.ts";
import { type Exclusion, noWishes, type RequestWishes, type TableChoice } from "./wishes.ts";

/**
 * What a language model reads in a person's note: the fields of the form, as far as the note specifies them. Every
 * property is required, because servers with structured output require that. Nothing in it is trusted: it is validated
 * like a person's own choices.
 */
export const readingSchema = z.strictObject({
  tables: z.array(z.strictObject({ schemaName: z.string(), tableName: z.string().nullable() })),
  exclude: z.array(
    z.strictObject({
      schemaName: z.string(),
      tableName: z.string().nullable(),
      columnName: z.string().nullable(),
    }),
  ),
  checks: z.array(z.enum(wishedChecks)),
  schedule: z.strictObject({ cronExpression: z.string(), timezone: z.string().nullable() }).nullable(),
  maxChecks: z.int().nullable(),
  leaveOut: z.array(z.int()).describe("The index of each action of the plan that is not wanted"),
  rest: z.array(z.string()).describe("What no field can say, in the person's own words"),
});
export type Reading = z.output<typeof readingSchema>;

const max = { choices: 200, rest: 10, characters: 300 };

/** A reading that PostgreSQL can store, with bounded size. */
export function storableReading(reading: Reading): Reading {
  const name = (text: string) => storable(text, 129);
  const nameOrNull = (text: string | null) => (text === null ? null : name(text));
  return {
    ...reading,
    tables: reading.tables.slice(0, max.choices).map(({ schemaName, tableName }) => ({
      schemaName: name(schemaName),
      tableName: nameOrNull(tableName),
    })),
    exclude: reading.exclude.slice(0, max.choices).map(({ schemaName, tableName, columnName }) => ({
      schemaName: name(schemaName),
      tableName: nameOrNull(tableName),
      columnName: nameOrNull(columnName),
    })),
    checks: [...new Set(reading.checks)],
    schedule: reading.schedule && {
      cronExpression: storable(reading.schedule.cronExpression, 201),
      timezone: reading.schedule.timezone && storable(reading.schedule.timezone, 101),
    },
    leaveOut: reading.leaveOut.slice(0, 1000),
    rest: reading.rest
      .map((part) => storable(part.replace(/\s+/g, " ").trim(), max.characters))
      .filter((part) => part !== "")
      .slice(0, max.rest),
  };
}

type Known = {
  /** The tables that the actor can see. */
  tables: readonly Pick<BriefedTable, "schemaName" | "tableName" | "columns">[];
  /** The number of actions in the plan that was sent back. */
  actions: number;
};

/** The wishes in a reading, and its invalid parts: names that do not exist, schedules without any future time. */
export function wishesIn(
  reading: Reading,
  { tables, actions }: Known,
): { wishes: RequestWishes; unfit: string[] } {
  const unfit: string[] = [];
  const isKnown = ({ schemaName, tableName, columnName }: Exclusion) =>
    tables.some(
      (table) =>
        table.schemaName === schemaName &&
        (tableName ? table.tableName === tableName : !columnName) &&
        (!columnName || table.columns.some(({ name }) => name === columnName)),
    );
  const known = <Choice extends Exclusion>(choices: readonly Choice[]): Choice[] =>
    choices.filter((choice) => {
      if (!isKnown(choice))
        unfit.push(`“${choiceLabel(choice)}” is not among the tables that the actor can see`);
      return isKnown(choice);
    });
  const wishes: RequestWishes = {
    ...noWishes,
    tables: known<TableChoice>(reading.tables),
    exclude: known<Exclusion>(reading.exclude),
    checks: reading.checks,
  };
  if (reading.schedule) {
    const { cronExpression: cron, timezone: zone } = reading.schedule;
    const schedule = z
      .strictObject({ cronExpression, timezone })
      .safeParse({ cronExpression: cron, timezone: zone ?? "UTC" });
    if (schedule.success) wishes.schedule = schedule.data;
    else unfit.push(`“${cron}${zone ? ` (${zone})` : ""}” is not a schedule`);
  }
  if (reading.maxChecks !== null) {
    if (reading.maxChecks >= 1 && reading.maxChecks <= 20) wishes.maxChecks = reading.maxChecks;
    else unfit.push(`A plan proposes 1 to 20 checks, not ${reading.maxChecks}`);
  }
  const leaveOut = [...new Set(reading.leaveOut)].filter((index) => index >= 0 && index < actions);
  if (leaveOut.length > 0) wishes.leaveOut = leaveOut.sort((a, b) => a - b);
  return { wishes, unfit };
}

/** Fills only the fields that the person left empty. null if nothing is left of the reading. */
export function fillingIn(read: RequestWishes, chosen: RequestWishes | null): RequestWishes | null {
  const has: RequestWishes = chosen ?? noWishes;
  const fills: RequestWishes = {
    tables: has.tables.length > 0 ? [] : read.tables,
    exclude: has.exclude.length > 0 ? [] : read.exclude,
    checks: has.checks.length > 0 ? [] : read.checks,
    ...(!has.schedule && read.schedule && { schedule: read.schedule }),
    ...(!has.maxChecks && read.maxChecks && { maxChecks: read.maxChecks }),
    ...(!has.leaveOut?.length && read.leaveOut && { leaveOut: read.leaveOut }),
  };
  return wishesInWords(fills) === "" ? null : fills;
}

/** Combines both; each field is set by at most one of them. */
export function together(chosen: RequestWishes | null, fills: RequestWishes | null): RequestWishes | null {
  if (!chosen || !fills) return chosen ?? fills;
  return {
    ...chosen,
    ...Object.fromEntries(
      Object.entries(fills).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))),
    ),
  };
}

/** For the plan, in Markdown: what was read from the note, and what remains unread. */
export function readingInWords(
  fills: RequestWishes | null,
  { rest, unfit }: { rest: readonly string[]; unfit: readonly string[] },
): string {
  const lines = [
    fills
      ? `Read from your note: ${escaped(wishesInWords(fills), 1000)}`
      : "Your note sets none of the fields for tables, checks, and schedule.",
    ...unfit.map((part) => `- ${escaped(part, 400)}.`),
    ...rest.map((part) => `- Kept as a note: “${escaped(part, max.characters)}”`),
  ];
  const [first = "", ...others] = lines;
  return others.length === 0 ? first : `${first}\n\n${others.join("\n")}`;
}
