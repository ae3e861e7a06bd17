import { z } from "zod";

/** What a notification says, before any channel gives it a form. */

const factSchema = z.object({ label: z.string(), value: z.string() });
const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A path of the service: what stands before it is known when the notification is sent. */
const path = z.string().regex(/^\/(?![/\\])/, "must be a path of the service");

export const tones = ["Info", "Good", "Warning", "Critical"] as const;

export const contentSchema = z.object({
  /** The subject of an e-mail, the headline of a card. One line. */
  title: z.string(),
  tone: z.enum(tones),
  summary: z.string(),
  facts: z.array(factSchema),
  /** Facts that belong together under a title of their own: one group for each failed rule. */
  groups: z.array(z.object({ title: z.string(), facts: z.array(factSchema) })).optional(),
  /** The first rows of a result; `rowCount` is how many there are of them all. */
  table: z
    .object({ columns: z.array(z.string()), rows: z.array(z.array(cellSchema)), rowCount: z.int().min(0) })
    .optional(),
  link: z.object({ label: z.string(), path }).optional(),
  /** A line in small print, such as what was left out. */
  note: z.string().optional(),
});

export type NotificationContent = z.output<typeof contentSchema>;
export type Fact = z.output<typeof factSchema>;
export type Cell = z.output<typeof cellSchema>;

/** What is kept of each; channels show less where theirs are narrower. */
const most = {
  title: 250,
  summary: 4000,
  label: 200,
  value: 2000,
  facts: 50,
  groups: 200,
  columns: 50,
  rows: 50,
  cell: 500,
};

/**
 * The content as it is stored: each text without what PostgreSQL refuses and no longer than anybody would read.
 * Names and values come from databases that others fill, and none of them may keep a notification from being sent.
 */
export function storableContent(content: NotificationContent): NotificationContent {
  const { groups, table, link, note } = content;
  return contentSchema.parse({
    title: oneLine(shortened(content.title, most.title)) || "Notification",
    tone: content.tone,
    summary: shortened(content.summary, most.summary),
    facts: factsOf(content.facts),
    ...(groups && {
      groups: groups.slice(0, most.groups).map(({ title, facts }) => ({
        title: oneLine(shortened(title, most.title)),
        facts: factsOf(facts),
      })),
    }),
    ...(table && {
      table: {
        columns: table.columns.slice(0, most.columns).map((column) => oneLine(shortened(column, most.label))),
        rows: table.rows.slice(0, most.rows).map((row) => row.slice(0, most.columns).map(cellOf)),
        rowCount: table.rowCount,
      },
    }),
    ...(link && { link: { label: oneLine(shortened(link.label, most.label)), path: link.path } }),
    ...(note !== undefined && { note: shortened(note, most.value) }),
  });
}

function factsOf(facts: readonly Fact[]): Fact[] {
  return facts.slice(0, most.facts).map(({ label, value }) => ({
    label: oneLine(shortened(label, most.label)),
    value: shortened(value, most.value),
  }));
}

function cellOf(cell: Cell): Cell {
  if (typeof cell === "string") return shortened(cell, most.cell);
  // NaN and the infinities are no JSON.
  return typeof cell === "number" && !Number.isFinite(cell) ? String(cell) : cell;
}

/** At most so many characters, the last of them an ellipsis where something was cut off. */
export function shortened(text: string, max: number): string {
  const storable = text.replaceAll("\u0000", "").toWellFormed();
  return storable.length <= max ? storable : `${storable.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Without line breaks, which would begin another header of an e-mail. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
export const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, " ").trim();
