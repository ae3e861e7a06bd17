import { z } from "zod";
import { identifier, text, timezone } from "../../db/schema-parts.ts";
import { cronExpression } from "../../jobs/cron-schema.ts";
import { maxFileMegabytes } from "../odcs/schema.ts";
import { ruleSchema } from "../rule-schema.ts";

/** The maximum size of imported files, in megabytes. The command line and the page reduce larger ones before. */
export const maxImportMegabytes = 16;

/** A file's content as JSON; what it means is read by its importer. */
const file = z.unknown();

/** What every import takes. */
const common = {
  dataSourceId: identifier.meta({ description: "The database that has the tables" }),
  again: z.boolean().default(false).meta({
    description: "Whether to import again what was removed or archived here since the last import",
  }),
  cronExpression: cronExpression.default("0 6 * * *").meta({ description: "The schedule of new contracts" }),
  timezone: timezone.default("UTC"),
};

export const dbtImportInput = z.strictObject({
  ...common,
  manifest: file
    .refine((value) => value !== undefined, "is required")
    .meta({
      description:
        "dbt's `manifest.json`, as JSON. Written by `dbt compile` or `dbt build`, it has SQL for every test",
    }),
  runResults: file
    .optional()
    .meta({ description: "dbt's `run_results.json`: the last status is shown beside each test" }),
  catalog: file.optional().meta({ description: "dbt's `catalog.json`: names and comments of columns" }),
});
export type DbtImport = z.output<typeof dbtImportInput>;

/** The maximum number of files in an import. */
export const maxImportFiles = 200;

const path = text(500).min(1, "is required").meta({ description: "The file's path, to name it in the plan" });
const project = (name: string) =>
  text(200).min(1, "is required").default(name).meta({
    description: "Separates what is imported from several projects into one data source",
  });
const files = <Shape extends z.ZodObject>(shape: Shape) =>
  z
    .array(shape)
    .min(1, "needs at least one file")
    .max(maxImportFiles, `must not be more than ${maxImportFiles}`);

export const sodaImportInput = z.strictObject({
  ...common,
  files: files(
    z.strictObject({
      path,
      yaml: z
        .string({ error: "is required" })
        .max(maxFileMegabytes * 1024 * 1024)
        .meta({ description: "SodaCL (`checks for …:`), or a Soda data contract (`dataset:`)" }),
    }),
  ),
  variables: z
    .record(z.string().max(100), z.string().max(4000))
    .default({})
    .meta({ description: "Values of the variables that the files use" }),
  project: project("Soda"),
});
export type SodaImport = z.output<typeof sodaImportInput>;

export const gxImportInput = z.strictObject({
  ...common,
  files: files(
    z.strictObject({
      path,
      suite: file
        .refine((value) => value !== undefined, "is required")
        .meta({
          description: "A suite of expectations as JSON, as version 0 or 1 of Great Expectations writes it",
        }),
      table: text(300).min(1).optional().meta({
        description:
          "The table that the suite is about: `orders` or `shop.orders`. Without it, that which the suite's name contains",
      }),
    }),
  ),
  project: project("Great Expectations"),
});
export type GxImport = z.output<typeof gxImportInput>;

export const ruleFates = ["New", "Updated", "Unchanged", "Kept", "Removed"] as const;
export type RuleFate = (typeof ruleFates)[number];
export const tableFates = ["New", "Updated", "Unchanged", "Kept", "Archived"] as const;
export type TableFate = (typeof tableFates)[number];

const plannedRule = z.object({
  id: z.string().meta({ description: "The test's own identifier, such as dbt's unique_id" }),
  path: z.string(),
  family: z.string(),
  ...ruleSchema.pick({ name: true, type: true }).shape,
  sentence: z.string().meta({
    description: "The rule in words; of one that is left alone, as it is here",
  }),
  fate: z.enum(ruleFates).meta({
    description: "Kept: it was changed or removed here, or can no longer be read, and is left alone",
  }),
  reason: z.string().nullable(),
  notes: z.array(z.string()).meta({ description: "How it differs from the test" }),
  tags: z.array(z.string()),
  lastStatus: z.string().nullable().meta({ description: "The test's last result in the imported files" }),
});

const plannedTable = z.object({
  id: z.string(),
  schemaName: z.string(),
  tableName: z.string(),
  owner: z.string().nullable(),
  tags: z.array(z.string()),
  contractId: identifier.nullable(),
  contractName: z.string().nullable(),
  fate: z
    .enum(tableFates)
    .meta({ description: "Of its contract; Kept: people changed it so that it is left alone" }),
  reason: z.string().nullable(),
  descriptions: z.int().meta({ description: "How many descriptions are new or updated" }),
  addedTags: z.array(z.string()).meta({ description: "Tags that the table gets in the catalog" }),
  removedTags: z.array(z.string()).meta({ description: "Tags of an earlier import that are gone now" }),
  rules: z.array(plannedRule),
});

export const importPlanSchema = z
  .object({
    project: z.string(),
    version: z.string().meta({ description: "Of the files' format, in words" }),
    warnings: z.array(z.string()),
    tables: z.array(plannedTable),
    missingTables: z
      .array(z.object({ id: z.string(), schemaName: z.string(), tableName: z.string(), tests: z.int() }))
      .meta({ description: "Tables that the data source does not have; they are not imported" }),
    notCarried: z
      .array(z.object({ id: z.string(), path: z.string(), family: z.string(), reason: z.string() }))
      .meta({ description: "Tests without a counterpart" }),
    families: z
      .array(z.object({ family: z.string(), tests: z.int(), carried: z.int() }))
      .meta({ description: "The kinds of tests, and how many of them become rules" }),
    totals: z.object({
      tests: z.int(),
      carried: z.int(),
      contracts: z.object({ new: z.int(), updated: z.int(), archived: z.int() }),
      rules: z.object({
        new: z.int(),
        updated: z.int(),
        unchanged: z.int(),
        kept: z.int(),
        removed: z.int(),
      }),
      descriptions: z.int(),
      tags: z.int().meta({ description: "How many tags tables get or lose" }),
    }),
  })
  .meta({ id: "ImportPlan" });
export type ImportPlan = z.output<typeof importPlanSchema>;

/** What an import did. */
export const importedPlanSchema = importPlanSchema
  .extend({ dataSourceId: identifier })
  .meta({ id: "ImportedSuite" });
export type ImportedPlan = z.output<typeof importedPlanSchema>;
