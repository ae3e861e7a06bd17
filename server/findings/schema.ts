import { z } from "zod";
import { ruleTypes } from "../data-quality/rules/rules.ts";
import { samplesSchema } from "../data-quality/sample-schema.ts";
import { severities } from "../data-quality/severities.ts";
import { runCost } from "../data-sources/cost-schema.ts";
import { byId, databaseName, identifier, momentOut, paging, text } from "../db/schema-parts.ts";
import { findingKinds, findingStatuses } from "./kinds.ts";

export const scanStatuses = ["Running", "Completed", "Failed", "Stopped"] as const;

const tableIn = z.strictObject({ schemaName: databaseName, tableName: databaseName });

export const startScanInput = z.strictObject({
  dataSourceId: identifier,
  tables: z.array(tableIn).min(1).max(2000).optional().meta({ description: "Defaults to all" }),
});

export const scanSchema = z
  .object({
    id: identifier,
    dataSourceId: identifier,
    status: z.enum(scanStatuses),
    tablesDone: z.int(),
    tablesTotal: z.int().meta({ description: "0 until the tables have been listed" }),
    rowsRead: z.number(),
    cost: runCost,
    startedAt: momentOut,
    finishedAt: momentOut.nullable(),
    skipped: z
      .array(z.object({ schemaName: z.string(), tableName: z.string(), reason: z.string() }))
      .meta({ description: "Tables that could not be read, and why" }),
    notes: z
      .array(z.string())
      .meta({ description: "What else to know, such as that a language model could not be asked" }),
    error: z.string().nullable().meta({ description: "Why the scan failed" }),
  })
  .meta({ id: "FindingScan" });
export type FindingScan = z.output<typeof scanSchema>;

export const ofSourcesInput = z.strictObject({
  projectId: identifier.optional(),
  dataSourceId: identifier.optional(),
});
export type OfSources = z.output<typeof ofSourcesInput>;

export const tableFindingsSchema = z
  .object({
    dataSourceId: identifier,
    schemaName: z.string(),
    tableName: z.string(),
    openCount: z.int().meta({ description: "Open findings with a confidence of at least 0.7" }),
  })
  .meta({ id: "TableFindings" });

const valueCounts = z.array(z.object({ value: z.string(), rows: z.number() }));

const evidenceSchema = z.object({
  doubted: valueCounts.optional(),
  usual: valueCounts.optional(),
  range: z.object({ low: z.string(), high: z.string(), median: z.string() }).optional(),
  since: z.string().optional(),
  timeline: z
    .object({
      column: z.string(),
      unit: z.enum(["Hour", "Day", "Week", "Month"]),
      periods: z.array(
        z.object({
          start: z.string(),
          rows: z.number(),
          doubtedRows: z.number().optional(),
          usual: z.number().optional().meta({ description: "How many rows are usual then, if known" }),
          isInDoubt: z.boolean(),
        }),
      ),
    })
    .optional()
    .meta({
      description: "Rows by hour, day, week, or month around the ones in doubt, or around the missing ones",
    }),
  shapes: z
    .array(z.object({ shape: z.string(), example: z.string(), rows: z.number(), isInDoubt: z.boolean() }))
    .optional()
    .meta({
      description:
        "How the values are written: 9 is a digit, A a capital, a a small letter, x a letter or digit",
    }),
});
export type ShownEvidence = z.output<typeof evidenceSchema>;

const reviewSchema = z
  .object({
    model: z.string(),
    verdict: z
      .enum(["Raised", "Lowered", "Kept", "Proposed"])
      .meta({ description: "`Proposed` if the finding itself is the model's" }),
    isReworded: z.boolean().meta({ description: "Whether `statement` is the model's" }),
    ownStatement: z.string().meta({ description: "What it would say without the model" }),
    ownConfidence: z
      .number()
      .nullable()
      .meta({ description: "What the confidence was before; null if `Proposed`" }),
  })
  .meta({ id: "FindingReview" });
export type FindingReview = z.output<typeof reviewSchema>;

const ruleSchema = z.object({
  type: z.enum(ruleTypes),
  configuration: z.record(z.string(), z.unknown()),
});
export type ProposedRule = z.output<typeof ruleSchema>;

const learnedSchema = z
  .object({
    accepted: z.int().meta({ description: "How many findings like it were accepted" }),
    dismissed: z.int().meta({ description: "How many findings like it were dismissed" }),
    from: z
      .enum(["DataSource", "Project"])
      .meta({ description: "`Project` if all of these are in other data sources of the project" }),
    unlearned: z.number().min(0).max(1).meta({ description: "The confidence without them" }),
  })
  .nullable()
  .meta({ description: "What answers to findings like it have changed in the confidence" });

const taughtSchema = z
  .object({
    wrong: z.int().meta({ description: "How many cells in its columns were said to be wrong" }),
    right: z.int().meta({ description: "How many cells in its columns were said to be right" }),
    untaught: z
      .number()
      .nullable()
      .meta({ description: "The confidence without the answers; null if there would be no finding" }),
  })
  .meta({ id: "TaughtFigures" });
export type TaughtFigures = z.output<typeof taughtSchema>;

export const findingSchema = z
  .object({
    id: identifier,
    scanId: identifier.meta({ description: "The latest scan that found it" }),
    projectId: identifier,
    dataSourceId: identifier,
    schemaName: z.string(),
    tableName: z.string(),
    kind: z.enum(findingKinds),
    columns: z.array(z.string()).meta({ description: "The columns whose values are in doubt" }),
    confidence: z.number().min(0).max(1),
    learned: learnedSchema,
    taught: taughtSchema
      .nullable()
      .meta({ description: "What answers about single cells of the table have changed in the confidence" }),
    severity: z.enum(severities),
    statement: z.string(),
    review: reviewSchema.nullable().meta({ description: "What a language model changed, if one was asked" }),
    evidence: evidenceSchema,
    failingRows: z.number().meta({ description: "0 if it is rows that are missing" }),
    totalRows: z.number(),
    examples: z
      .object({ columns: z.array(z.string()), rows: samplesSchema.shape.rows })
      .nullable()
      .meta({ description: "Up to three of the rows in doubt: the row's key and the columns in doubt" }),
    rule: ruleSchema
      .nullable()
      .meta({ description: "The rule that `accept` adds to a contract; fails today" }),
    rowsSql: z.string().nullable().meta({ description: "SQL that returns all rows in doubt, whole" }),
    status: z.enum(findingStatuses),
    reason: z.string().nullable().meta({ description: "Why it was dismissed" }),
    firstSeenAt: momentOut,
    lastSeenAt: momentOut,
    contractId: identifier.nullable(),
  })
  .meta({ id: "Finding" });
export type Finding = z.output<typeof findingSchema>;

export const taughtVerdicts = ["Right", "Wrong", "Unsure"] as const;

export const taughtTableInput = tableIn.extend({ dataSourceId: identifier });
export type TaughtTable = z.output<typeof taughtTableInput>;

const cellOfQuestion = z.string().regex(/^[0-9a-f]{32}-[0-9a-f]{32}$/, "must be the `cell` of a question");

export const teachAnswerInput = taughtTableInput.extend({
  column: databaseName,
  cell: cellOfQuestion.meta({ description: "Which row is meant, as the question says" }),
  verdict: z.enum(taughtVerdicts),
});
export type TeachAnswer = z.output<typeof teachAnswerInput>;

/** What an assistant sends: the answer to the question before, and which table it goes on with. */
export const teachInTurnInput = taughtTableInput.extend({
  answer: z
    .strictObject({ column: databaseName, cell: cellOfQuestion, verdict: z.enum(taughtVerdicts) })
    .optional(),
});
export type TeachInTurn = z.output<typeof teachInTurnInput>;

export const teachUndoInput = taughtTableInput.extend({
  all: z
    .boolean()
    .default(false)
    .meta({ description: "Takes all answers about the table back, not only the latest" }),
});

export const teachStateSchema = z
  .object({
    answered: z.int().meta({ description: "How many questions about the table have been answered" }),
    maxQuestions: z.int(),
  })
  .meta({ id: "TeachState" });

export const askedCellSchema = z.object({
  column: z.string(),
  cell: z.string().meta({ description: "Sent back with the answer" }),
  because: z.string().meta({ description: "Why it is asked about; completes “This cell …”" }),
  likelihood: z.number().min(0).max(1).meta({ description: "How likely the cell is wrong" }),
  alike: z.int().meta({ description: "How many cells are in doubt for the same reason" }),
  ...samplesSchema.pick({ columns: true, rows: true, maskedColumns: true }).shape,
});

export const teachQuestionSchema = teachStateSchema
  .extend({
    question: askedCellSchema.nullable().meta({
      description:
        "The cell whose answer tells the most, in its row; null if enough was asked, or nothing is worth asking",
    }),
  })
  .meta({ id: "TeachQuestion" });
export type TeachQuestion = z.output<typeof teachQuestionSchema>;

export const findingSorts = ["Worst", "Table"] as const;

export const listFindingsInput = z.strictObject({
  projectId: identifier.optional(),
  dataSourceId: identifier.optional(),
  schemaName: databaseName.optional(),
  tableName: databaseName.optional(),
  kind: z.enum(findingKinds).optional(),
  status: z.enum(findingStatuses).optional(),
  minConfidence: z.number().min(0).max(1).optional().meta({ description: "Defaults to 0.7" }),
  sortBy: z.enum(findingSorts).default("Worst").meta({ description: "`Table`: those of a table together" }),
  ...paging,
});
export type FindingFilter = z.output<typeof listFindingsInput>;

export const dismissInput = byId.extend({ reason: text(1000).nullish() });
export const acceptInput = byId
  .extend({
    contractId: identifier.optional().meta({
      description: "Defaults to the table's contract; a table without one gets a new contract",
    }),
    newContract: z.boolean().optional().meta({ description: "Creates a contract even if the table has one" }),
  })
  .refine(({ contractId, newContract }) => contractId === undefined || !newContract, {
    path: ["newContract"],
    message: "cannot be combined with contractId",
  });

export const findingSamplesSchema = samplesSchema.meta({ id: "FindingSamples" });
