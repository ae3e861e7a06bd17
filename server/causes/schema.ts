import { z } from "zod";
import { databaseName, identifier, momentOut } from "../db/schema-parts.ts";

const partSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("Value"), column: z.string(), value: z.string() }),
  z.object({ is: z.literal("Missing"), column: z.string() }),
  z.object({
    is: z.literal("Between"),
    column: z.string(),
    from: z.string().nullable().meta({ description: "null: from the first row" }),
    to: z.string().nullable().meta({ description: "null: to the last row" }),
  }),
]);

export const causesSchema = z
  .object({
    segments: z
      .array(
        z
          .object({
            parts: z.array(partSchema).meta({
              description:
                "What its rows have in common. `customers.country` is a column of a table that they refer to; both ends of Between belong to it",
            }),
            statement: z.string(),
            failingRows: z.int().meta({ description: "The failing rows in it" }),
            rows: z.int().meta({ description: "All rows in it" }),
          })
          .meta({ id: "CauseSegment" }),
      )
      .meta({ description: "What failing rows have in common and others do not, the most telling first" }),
    failingRows: z.int(),
    totalRows: z.int(),
    isExact: z.boolean().meta({
      description: "Whether rows were counted in the whole table; false: estimated from those that were read",
    }),
    note: z.string().nullable().meta({ description: "Why there is no segment; null if there is one" }),
    readAt: momentOut,
  })
  .meta({ id: "Causes" });
export type Causes = z.output<typeof causesSchema>;
export type ReadCauses = z.input<typeof causesSchema>;

export const ruleCausesInput = z.strictObject({ id: identifier, ruleId: identifier });

/** Exactly one thing to explain; `ruleId` belongs to `contractId`, and a table takes three names. */
export const whyInput = z
  .strictObject({
    incidentId: identifier.optional(),
    subscriptionId: identifier.optional().meta({ description: "That fails, or found something" }),
    anomalyId: identifier.optional(),
    contractId: identifier.optional(),
    ruleId: identifier.optional().meta({ description: "With contractId; without it, all that fail" }),
    findingId: identifier.optional(),
    dataSourceId: identifier.optional().meta({ description: "Of a watched table" }),
    schemaName: databaseName.optional(),
    tableName: databaseName.optional(),
  })
  .check((context) => {
    const { ruleId, contractId, dataSourceId, schemaName, tableName, ...single } = context.value;
    const named = [dataSourceId, schemaName, tableName].filter((each) => each !== undefined).length;
    const things = [...Object.values(single), contractId, named > 0 ? named : undefined];
    const complain = (path: string, message: string) =>
      context.issues.push({ code: "custom", path: [path], message, input: context.value });
    if (things.filter((each) => each !== undefined).length !== 1)
      complain("incidentId", "specify exactly one thing to explain");
    else if (named % 3 !== 0) complain("tableName", "needs dataSourceId, schemaName, and tableName");
    if (ruleId !== undefined && contractId === undefined) complain("ruleId", "needs contractId");
  });
export type WhyInput = z.output<typeof whyInput>;

/** Rows that fail; what changed before; what was wrong where the data comes from. */
export const causeKinds = ["Rows", "Change", "Upstream"] as const;
export type CauseKind = (typeof causeKinds)[number];

/** Which rows have something in common. */
export const comparedRows = ["Failing", "Found", "New", "Difference"] as const;
export type ComparedRows = (typeof comparedRows)[number];

export const causeSchema = z
  .object({
    id: z.string().meta({ description: "What an account refers to" }),
    kind: z.enum(causeKinds),
    strength: z.number().meta({
      description: "From 0 to 1: how far from what chance would give. The list is in this order",
    }),
    statement: z.string(),
    detail: z.string().nullable().meta({ description: "Where it was, and how long before" }),
    about: z.string().nullable().meta({ description: "The rule, finding, or alert whose rows these are" }),
    at: momentOut.nullable(),
    parts: z.array(partSchema).nullable().meta({ description: "What the rows have in common" }),
    rows: z.enum(comparedRows).nullable().meta({
      description:
        "Which rows these are: those that fail, that a query finds, that are new, or that are missing or too many",
    }),
    share: z.number().nullable().meta({ description: "Of these rows, from 0 to 1" }),
    usualShare: z.number().nullable().meta({
      description: "Of all rows; of those that usually come, if rows are missing or too many",
    }),
    path: z.string().nullable().meta({ description: "Its page in the console" }),
    url: z.string().nullable().meta({ description: "What its reporter refers to" }),
  })
  .meta({ id: "Cause" });
export type Cause = z.output<typeof causeSchema>;
export type ReadCause = z.input<typeof causeSchema>;

export const whySchema = z
  .object({
    title: z.string().meta({ description: "What is explained" }),
    began: momentOut,
    causes: z.array(causeSchema).meta({ description: "The strongest first" }),
    omitted: z.int().meta({ description: "How many weaker ones there are" }),
    notes: z.array(z.string()).meta({ description: "What could not be looked at, and why" }),
    readAt: momentOut,
  })
  .meta({ id: "Why" });
export type Why = z.output<typeof whySchema>;
export type ReadWhy = z.input<typeof whySchema>;

export const accountSchema = z
  .object({
    sentences: z.array(
      z.object({
        text: z.string(),
        sources: z.array(z.string()).meta({ description: "The IDs of the causes that say so" }),
      }),
    ),
    dropped: z.int().meta({ description: "Sentences that were left out because they had no valid source" }),
    why: whySchema,
    model: z.string(),
    tokensUsed: z.int(),
    estimatedCost: z.number().nullable().meta({ description: "In US dollars; null if the price is unknown" }),
  })
  .meta({ id: "CauseAccount" });
export type Account = z.output<typeof accountSchema>;
