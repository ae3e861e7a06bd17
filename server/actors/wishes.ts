import { z } from "zod";
import { databaseName, timezone } from "../db/schema-parts.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import { wishedChecks } from "./wished-checks.ts";

/**
 * What people choose for an actor in fields rather than in words: which tables, which checks, when, and how many. An
 * actor has standing wishes; a request for a change, and a plan that is sent back, may have their own.
 *
 * The built-in planner follows these and the profile of the tables, and does not read text. A language model fills in
 * empty fields from the text of a request, and gets the fields along with the text. The browser loads this file too.
 */

const maxTables = 200;

const tableChoice = z.strictObject({
  schemaName: databaseName,
  tableName: databaseName.nullish().meta({ description: "If omitted, every table of the schema" }),
});

const exclusion = tableChoice
  .extend({ columnName: databaseName.nullish().meta({ description: "If omitted, the whole table" }) })
  .refine(({ tableName, columnName }) => !columnName || Boolean(tableName), {
    path: ["tableName"],
    error: "is required with a column",
  });

const fields = z.strictObject({
  tables: z.array(tableChoice).max(maxTables).default([]).meta({
    description: "Only these tables; empty for all tables of the data source",
  }),
  exclude: z.array(exclusion).max(maxTables).default([]).meta({
    description: "Schemas, tables, and columns to exclude",
  }),
  checks: z.array(z.enum(wishedChecks)).max(wishedChecks.length).default([]).meta({
    description: "Only these types of checks; empty to choose by the data",
  }),
  schedule: z
    .strictObject({ cronExpression, timezone: timezone.default("UTC") })
    .nullish()
    .meta({ description: "When its queries run. If omitted, as often as the data changes" }),
  maxChecks: z.int().min(1).max(20).nullish().meta({ description: "Maximum number of checks in a plan" }),
});

/** Empty wishes become null. */
export const wishesSchema = fields.transform((wishes) => (saysAnything(wishes) ? wishes : null));

export const revisionWishesSchema = fields
  .extend({
    leaveOut: z.array(z.int().min(0)).max(1000).default([]).meta({
      description: "The `index` of each action that the next version should omit",
    }),
  })
  .transform((wishes) => (saysAnything(wishes) || wishes.leaveOut.length > 0 ? wishes : null));

export type Wishes = z.output<typeof fields>;
/** `leaveOut` only for a plan that is sent back. */
export type RequestWishes = Wishes & { leaveOut?: number[] };
export type WishesInput = z.input<typeof fields>;
export type RevisionWishesInput = z.input<typeof revisionWishesSchema>;
export type TableChoice = Wishes["tables"][number];
export type Exclusion = Wishes["exclude"][number];

export const noWishes: Wishes = { tables: [], exclude: [], checks: [] };

const saysAnything = ({ tables, exclude, checks, schedule, maxChecks }: Wishes) =>
  tables.length + exclude.length + checks.length > 0 || Boolean(schedule) || Boolean(maxChecks);

/** As stored and returned. */
export const wishesOut = z
  .object({
    tables: z.array(z.object({ schemaName: z.string(), tableName: z.string().nullish() })),
    exclude: z.array(
      z.object({
        schemaName: z.string(),
        tableName: z.string().nullish(),
        columnName: z.string().nullish(),
      }),
    ),
    checks: z.array(z.enum(wishedChecks)),
    schedule: z.object({ cronExpression: z.string(), timezone: z.string() }).nullish(),
    maxChecks: z.int().nullish(),
    leaveOut: z.array(z.int()).optional().meta({ description: "Only for a plan that is sent back" }),
  })
  .meta({ id: "ActorWishes" });
