import { z } from "zod";
import { databaseName, identifier, listOf, momentOut, text } from "../db/schema-parts.ts";
import { couldNotEvaluate } from "./evaluations/schema.ts";
import { listContractsInput } from "./schema.ts";
import { lastMeasured, scoreOut, trends } from "./score-schema.ts";

const namedTable = { schemaName: z.string(), tableName: z.string() };

const earlierScore = z.object({ evaluatedAt: z.iso.datetime(), score: scoreOut, couldNotEvaluate });

const watchingContract = z.object({ id: identifier, name: z.string(), enabled: z.boolean() });

const tableScoreSchema = z
  .object({
    ...namedTable,
    currentScore: scoreOut,
    previousScore: scoreOut.nullable(),
    trend: z.enum(trends),
    evaluatedAt: momentOut,
    evaluationId: identifier.meta({ description: "Latest evaluation by any contract" }),
    contracts: z
      .array(watchingContract)
      .meta({ description: "Contracts that watch it, by name; at most 20" }),
    contractCount: z.int(),
    history: z.array(earlierScore).meta({
      description:
        "The latest 30 evaluations by any contract, oldest first. Empty if there are more tables than `historiesUpTo`",
    }),
    ...lastMeasured,
  })
  .meta({ id: "TableScore" });

const coverageSchema = z
  .object({
    readAt: momentOut.meta({ description: "When the data source's schema was last read" }),
    tableCount: z.int().meta({ description: "Tables and views of the schema" }),
    coveredCount: z.int().meta({ description: "Tables with a contract" }),
    uncovered: z
      .array(z.object({ ...namedTable, kind: z.enum(["Table", "View"]), rowEstimate: z.number().nullable() }))
      .meta({ description: "Tables and views without a contract: tables first, largest first; at most 200" }),
  })
  .meta({ id: "Coverage" });

const sourceQualitySchema = z
  .object({
    dataSourceId: identifier,
    dataSourceName: z.string(),
    averageScore: scoreOut.nullable(),
    tableCount: z.int(),
    healthyTables: z.int(),
    degradingTables: z.int(),
    activeContractCount: z.int(),
    measured: z
      .object({
        averageScore: scoreOut.nullable(),
        tableCount: z.int(),
        healthyTables: z.int(),
        degradingTables: z.int(),
        outageTables: z.int().meta({ description: "Tables that could not be evaluated the last time" }),
      })
      .meta({ description: "The same figures by the last measured scores" }),
    tables: z.array(tableScoreSchema),
    unevaluated: z
      .array(z.object({ ...namedTable, contracts: z.array(watchingContract), contractCount: z.int() }))
      .meta({ description: "Tables with a contract but no score yet" }),
    coverage: coverageSchema
      .nullable()
      .meta({ description: "null if the data source's schema has never been read" }),
  })
  .meta({ id: "SourceQuality" });

export const overviewInput = listContractsInput.extend({
  search: text(200).optional().meta({
    description: "Filters the tables without a contract by words in their names; affects nothing else",
  }),
  historiesUpTo: z.int().min(0).optional().meta({
    description:
      "Leaves out the histories if more tables than this have a score, because they are most of what is sent. `GET /data-quality/table-history` returns that of one table",
  }),
});

export const tableHistoryInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName,
  tableName: databaseName,
});

export const tableHistorySchema = listOf(earlierScore);

export const overviewSchema = listOf(sourceQualitySchema);
export type Overview = z.output<typeof overviewSchema>;
