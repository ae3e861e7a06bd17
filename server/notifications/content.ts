import { z } from "zod";
import { shortened } from "../text.ts";
import { silenceSpans } from "./message-actions.ts";
import { buttonDeeds } from "./message-buttons.ts";

/** The content of a notification, before a channel formats it. */

/** A path within the service; the host is added when the notification is sent. */
const path = z.string().regex(/^\/(?![/\\])/, "must be a path within the service");

const factSchema = z.object({ label: z.string(), value: z.string(), path: path.optional() });
const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const tones = ["Info", "Good", "Warning", "Critical"] as const;

/** The judged number of the latest runs, the last one last, as channels draw it. Counts and scores: never a value of a row. */
const chartSchema = z.object({
  /** What it is: "Score of the last 30 evaluations". */
  name: z.string(),
  /** null for a run that has none. */
  values: z.array(z.number().nullable()).min(2).max(60),
  /** Where the scale begins and ends; if they are missing, with the numbers and 0. */
  from: z.number().optional(),
  to: z.number().optional(),
  /** What it must not pass. */
  limit: z.object({ is: z.enum(["AtLeast", "AtMost"]), value: z.number() }).optional(),
  /** What is usual, both inclusive. */
  usual: z.object({ low: z.number(), high: z.number() }).optional(),
});
export type NotificationChart = z.output<typeof chartSchema>;

export const contentSchema = z.object({
  /** The subject of an email, the headline of a card. One line. */
  title: z.string(),
  tone: z.enum(tones),
  summary: z.string(),
  facts: z.array(factSchema),
  /** Facts with a common title: one group per failed rule. */
  groups: z.array(z.object({ title: z.string(), facts: z.array(factSchema) })).optional(),
  /** The first rows of a result; `rowCount` is the total. */
  table: z
    .object({
      columns: z.array(z.string()),
      rows: z.array(z.array(cellSchema)),
      rowCount: z.int().min(0),
      /** Positions in `rows` of those that the result before did not have; missing if that is not known. */
      newRows: z.array(z.int().min(0)).optional(),
    })
    .optional(),
  chart: chartSchema.optional(),
  link: z.object({ label: z.string(), path }).optional(),
  /** What can be done at once: pages that ask before they do it. */
  actions: z.array(z.object({ label: z.string(), path })).optional(),
  /** What can be done in the message itself, by chat services of which Plumbline is an app. */
  buttons: z
    .array(
      z.object({
        deed: z.enum(buttonDeeds),
        id: z.int(),
        hash: z.string().optional(),
        span: z.enum(silenceSpans).optional(),
      }),
    )
    .optional(),
  /** A line in small print, such as what was omitted. */
  note: z.string().optional(),
  /** The times in these texts, which users read in their own zone. */
  moments: z.array(z.object({ words: z.string().min(1), at: z.iso.datetime(), zone: z.string() })).optional(),
});

export type NotificationContent = z.output<typeof contentSchema>;
export type Fact = z.output<typeof factSchema>;
export type Cell = z.output<typeof cellSchema>;

/** Stored limits; channels with lower limits show less. */
const max = {
  title: 250,
  summary: 4000,
  label: 200,
  value: 2000,
  facts: 50,
  groups: 200,
  actions: 5,
  columns: 50,
  rows: 50,
  cell: 500,
};

/**
 * The content as stored: texts without characters that PostgreSQL rejects, and truncated. Names and values come from
 * external databases, and none of them may prevent a notification.
 */
export function storableContent(content: NotificationContent): NotificationContent {
  const { groups, table, chart, link, actions, buttons, note, moments } = content;
  return contentSchema.parse({
    title: oneLine(shortened(content.title, max.title)) || "Notification",
    tone: content.tone,
    summary: shortened(content.summary, max.summary),
    facts: factsOf(content.facts),
    ...(groups && {
      groups: groups.slice(0, max.groups).map(({ title, facts }) => ({
        title: oneLine(shortened(title, max.title)),
        facts: factsOf(facts),
      })),
    }),
    ...(table && {
      table: {
        columns: table.columns.slice(0, max.columns).map((column) => oneLine(shortened(column, max.label))),
        rows: table.rows.slice(0, max.rows).map((row) => row.slice(0, max.columns).map(cellOf)),
        rowCount: table.rowCount,
        ...(table.newRows && {
          newRows: table.newRows.filter((place) => place < Math.min(table.rows.length, max.rows)),
        }),
      },
    }),
    ...(chart && { chart }),
    ...(link && { link: { label: oneLine(shortened(link.label, max.label)), path: link.path } }),
    ...(actions && {
      actions: actions
        .slice(0, max.actions)
        .map((action) => ({ label: oneLine(shortened(action.label, max.label)), path: action.path })),
    }),
    ...(buttons && { buttons: buttons.slice(0, max.actions) }),
    ...(note !== undefined && { note: shortened(note, max.value) }),
    ...(moments && { moments }),
  });
}

function factsOf(facts: readonly Fact[]): Fact[] {
  return facts.slice(0, max.facts).map(({ label, value, path }) => ({
    label: oneLine(shortened(label, max.label)),
    value: shortened(value, max.value),
    ...(path !== undefined && { path }),
  }));
}

function cellOf(cell: Cell): Cell {
  if (typeof cell === "string") return shortened(cell, max.cell);
  // NaN and infinities are not valid JSON.
  return typeof cell === "number" && !Number.isFinite(cell) ? String(cell) : cell;
}

/** Without line breaks, which could inject another email header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
export const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim();
