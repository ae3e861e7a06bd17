import type { ObservedTable } from "../profile/observed-table.ts";
import type { Candidate } from "./candidate.ts";
import { type Condition, columnOf, columnsIn, rowsAgainst } from "./condition.ts";
import { rowsOf, withRows } from "./doubted.ts";
import type { FindingKind } from "./kinds.ts";
import { maskedWords } from "./masked.ts";
import { isCovered, type Merged } from "./merge.ts";
import { sameFigures, withoutFigures } from "./plain-sentence.ts";
import { conditionOf, conditionWords } from "./proposed-condition.ts";
import type { ProposedStatement, Review, ReviewedFinding } from "./review.ts";
import type { FindingReview } from "./schema.ts";
import { toldFindings } from "./told-table.ts";

/**
 * By how much a model moves the odds of a finding that it was told of. A finding at 0.88 stays above 0.7 whatever a
 * model says, and one below 0.53 stays below it.
 */
const odds = { Raise: 2, Lower: 1 / 3, Keep: 1 } as const;
const mostRaised = 0.95;

/**
 * How sure a statement of a model's own is. No corpus says how often models are right, so even the surest is shown as
 * no more than likely.
 */
const sureness = { High: 0.8, Medium: 0.65, Low: 0.5 } as const;
/** So many of them at most; of fewer rows nothing can be told, and where more are against it, it was not meant. */
const limits = { statements: 5, rows: 20, share: 0.05 };

/**
 * A table's findings with what a language model says of them: moved by a bounded step, worded anew where the new words
 * keep the figures, and with statements of its own that hold for nearly all of the rows that were read. What is none of
 * these is left out. The surest first. Pure.
 */
export function reviewed(
  table: ObservedTable,
  found: readonly Merged[],
  review: Review,
  model: string,
): ReviewedFinding[] {
  const told = toldFindings(found);
  const moved = found.map((finding, id) => {
    const opinion = id < told.length ? review.opinions.find((each) => each.id === id) : undefined;
    return opinion ? withOpinion(finding, opinion, model) : finding;
  });
  const own: ReviewedFinding[] = [];
  for (const proposed of review.statements.slice(0, limits.statements)) {
    const finding = ownStatement(table, proposed, model);
    if (finding && ![...moved, ...own].some((each) => isCovered(each.candidate, finding.candidate)))
      own.push(finding);
  }
  return [...moved, ...own].sort((a, b) => b.confidence - a.confidence);
}

function withOpinion(
  finding: Merged,
  { verdict, statement }: Review["opinions"][number],
  model: string,
): ReviewedFinding {
  const { candidate, confidence } = finding;
  // Figures are compared with what the model was told, where values are masked.
  const own = maskedWords(candidate.columns, candidate).statement;
  const words = statement === null ? null : sameFigures(statement, own, candidate.rows.length);
  const isReworded = words !== null && words !== own;
  if (verdict === "Keep" && !isReworded) return finding;
  return {
    ...finding,
    confidence: movedBy(verdict, confidence),
    candidate: isReworded ? { ...candidate, statement: words } : candidate,
    review: {
      model,
      verdict: ({ Raise: "Raised", Lower: "Lowered", Keep: "Kept" } as const)[verdict],
      isReworded,
      ...{ ownStatement: own, ownConfidence: confidence },
    },
  };
}

function movedBy(verdict: keyof typeof odds, confidence: number): number {
  const moved = (confidence * odds[verdict]) / (1 - confidence + confidence * odds[verdict]);
  return verdict === "Raise" ? Math.max(confidence, Math.min(mostRaised, moved)) : moved;
}

const kinds = {
  null: "MissingValue",
  blank: "MissingValue",
  oneOf: "Format",
  below: "OutOfRange",
  above: "OutOfRange",
  greater: "Impossible",
  repeated: "Duplicate",
} as const satisfies Record<ProposedStatement["condition"]["is"], FindingKind>;

/** null for what the table does not know, what no row or too many rows are against, and tables that are too short. */
function ownStatement(
  table: ObservedTable,
  proposed: ProposedStatement,
  model: string,
): ReviewedFinding | null {
  const condition = conditionOf(table, proposed);
  if (condition === null || table.rowCount < limits.rows) return null;
  const rows = rowsAgainst(condition, table);
  if (rows.length === 0 || rows.length > table.rowCount * limits.share) return null;
  const begin = `${rowsOf(rows.length, table.rowCount)} of ${table.tableName}`;
  const own = `${begin}: ${conditionWords(proposed)}.`;
  const words = withoutFigures(proposed.statement, JSON.stringify([proposed.condition, proposed.where]));
  const candidate: Candidate = {
    // One column that says what another must hold is broken by the two together.
    kind: proposed.where === null ? kinds[proposed.condition.is] : "Impossible",
    table,
    columns: doubtedIn(condition),
    ...{ rows, condition, outOf: table.rowCount, rule: null, features: {} },
    statement: words === null ? own : `${begin}: ${words.replace(/[.!]*$/, "")}.`,
    evidence: { doubted: doubtedValues(table, condition, rows) },
  };
  const review: FindingReview = {
    ...{ model, verdict: "Proposed", isReworded: words !== null, ownConfidence: null },
    ownStatement: maskedWords(candidate.columns, { ...candidate, statement: own }).statement,
  };
  return { candidate, confidence: sureness[proposed.sureness], support: [], review };
}

/** Of `where` and a condition, the condition's. */
const doubtedIn = (condition: Condition): string[] => {
  const last = condition.is === "all" ? condition.of.at(-1) : condition;
  return last ? columnsIn(last) : [];
};

function doubtedValues(table: ObservedTable, condition: Condition, rows: Int32Array) {
  const [name] = doubtedIn(condition);
  const column = columnOf(table, name ?? "");
  const indexes = new Set([...rows].map((row) => column.rows[row] ?? -1).filter((index) => index >= 0));
  const counts = new Map<number, number>();
  for (const row of rows) {
    const index = column.rows[row] ?? -1;
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return withRows({ ...column, counts: column.counts.map((_, index) => counts.get(index) ?? 0) }, indexes);
}
