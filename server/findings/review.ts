import { z } from "zod";
import type { ObservedTable } from "../profile/observed-table.ts";
import type { Merged } from "./merge.ts";
import type { FindingReview, ShownEvidence } from "./schema.ts";

/** What a language model says of a table's findings. Nothing in it is trusted: `reviewed` takes what holds. */

const column = z.string().describe("A column of the table, letter for letter");
const condition = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("null"), column }),
  z.strictObject({ is: z.literal("blank"), column }),
  z.strictObject({ is: z.literal("oneOf"), column, values: z.array(z.string()) }),
  z.strictObject({ is: z.literal("below"), column, bound: z.string() }),
  z.strictObject({ is: z.literal("above"), column, bound: z.string() }),
  z.strictObject({ is: z.literal("greater"), left: column, right: column }),
  z.strictObject({ is: z.literal("repeated"), columns: z.array(column) }),
]);

export const reviewSchema = z.strictObject({
  opinions: z.array(
    z.strictObject({
      id: z.int().describe("Of a finding that is listed"),
      verdict: z.enum(["Raise", "Lower", "Keep"]),
      statement: z.string().nullable().describe("A clearer sentence with the same figures; null to keep it"),
    }),
  ),
  statements: z.array(
    z.strictObject({
      statement: z.string().describe("What is wrong with such rows, in a few words without figures"),
      sureness: z.enum(["High", "Medium", "Low"]),
      where: z.strictObject({ column, equals: z.string() }).nullable().describe("Only rows with this value"),
      condition,
    }),
  ),
});
export type Review = z.output<typeof reviewSchema>;
export type ProposedStatement = Review["statements"][number];

/** A table as a model is told of it: names, types, figures, and masked examples. */
export type ToldTable = {
  schemaName: string;
  tableName: string;
  rowsRead: number;
  isWhole: boolean;
  columns: readonly {
    name: string;
    type: string;
    isPrimaryKey: boolean;
    nulls: number;
    different: number;
    examples: readonly { value: string; rows: number }[];
  }[];
  findings: readonly {
    id: number;
    kind: string;
    columns: readonly string[];
    confidence: number;
    rows: number;
    statement: string;
    evidence: ShownEvidence;
    examples: readonly Readonly<Record<string, unknown>>[];
  }[];
};

export type Reviewed = { model: string; tokensUsed: number } & (
  | { review: Review; failure: null }
  | { review: null; failure: string }
);

export type ModelToAsk = {
  /** Asks about one table, and says why there is no answer. */
  ask(table: ToldTable): Promise<Reviewed>;
  /** Which model is asked, and all that it would be shown: the same text means the same question. */
  shown(table: ToldTable): string;
};

/** null where no model is to be asked. */
export type Reviewer = () => ModelToAsk | null;

/** Findings as they are verified: some with what a model has changed in them. */
export type ReviewedFinding = Merged & { review?: FindingReview };

/** A table's findings after a look at them: as they were, where it failed. */
export type Look = (table: ObservedTable, found: readonly Merged[]) => Promise<readonly ReviewedFinding[]>;
