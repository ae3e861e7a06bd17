import type { ObservedTable } from "../../profile/observed-table.ts";
import { log } from "../../telemetry/log.ts";
import { limits } from "../limits.ts";
import type { Merged } from "../merge.ts";
import type { Look, ModelToAsk, Reviewed, ReviewedFinding, Reviewer } from "../review.ts";
import { reviewed } from "../reviewed.ts";
import { toldTable } from "../told-table.ts";
import { findReview, hashOfShown, keepReview } from "./kept-reviews.ts";

let reviewer: Reviewer = () => null;

/** What asks the language model stands above: the process says who that is. */
export function setReviewer(given: Reviewer): void {
  reviewer = given;
}

/**
 * A language model's look at the tables of one scan, within its budget; null where no model is to be asked. What it has
 * said of a table counts again as long as it would be shown the same, and costs nothing. Whatever goes wrong leaves the
 * findings as they are and is told as a note, once. The look throws the signal's reason.
 */
export function lookOfModel(
  dataSourceId: number,
  { note, signal }: { note: (text: string) => Promise<void>; signal: AbortSignal },
): Look | null {
  const model = reviewer();
  if (!model) return null;
  let [calls, tokens, failures] = [0, 0, 0];
  return async (table, found) => {
    if (table.rowCount === 0) return found;
    const question = questionOf(model, table, found);
    const kept = question && (await findReview(dataSourceId, table, question.hash));
    if (kept) return withReview(table, found, kept) ?? found;
    if (failures >= limits.reviewFailures) return found;
    if (calls >= limits.reviewedTables || tokens >= limits.reviewTokens) {
      await note(
        `The language model looked at ${calls} tables, which is all that one scan asks it for; the others were not shown to it`,
      );
      return found;
    }
    calls++;
    const answer = question ? await answerTo(model, question, table, signal) : unusable;
    tokens += answer.tokensUsed;
    const findings = answer.review && withReview(table, found, answer);
    if (findings && question) {
      failures = 0;
      await keepReview(dataSourceId, table, question.hash, answer);
      return findings;
    }
    failures++;
    await note(`${answer.failure ?? unusable.failure}. Findings are as they are without it`);
    return found;
  };
}

const unusable: Reviewed = {
  ...{ model: "", tokensUsed: 0, review: null },
  failure: "The language model's review could not be used",
};

type Question = { told: ReturnType<typeof toldTable>; hash: string };

/** null, and the log says why, for what cannot be asked: no fault of that kind ends a scan. */
function questionOf(model: ModelToAsk, table: ObservedTable, found: readonly Merged[]): Question | null {
  return orLogged(table, () => {
    const told = toldTable(table, found);
    return { told, hash: hashOfShown(model.shown(told)) };
  });
}

const withReview = (
  table: ObservedTable,
  found: readonly Merged[],
  { review, model }: Pick<Extract<Reviewed, { failure: null }>, "review" | "model">,
): ReviewedFinding[] | null => orLogged(table, () => reviewed(table, found, review, model));

function orLogged<T>(table: ObservedTable, work: () => T): T | null {
  try {
    return work();
  } catch (err) {
    return logged(table, err);
  }
}

function logged(table: ObservedTable, err: unknown): null {
  log.error({ err, table: table.tableName }, "A review of findings failed");
  return null;
}

/** Throws the signal's reason: a model may take longer than a scan that is stopped can wait. */
async function answerTo(
  model: ModelToAsk,
  { told }: Question,
  table: ObservedTable,
  signal: AbortSignal,
): Promise<Reviewed> {
  signal.throwIfAborted();
  const answered = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { signal: answered.signal });
  });
  try {
    return await Promise.race([model.ask(told), aborted]);
  } catch (err) {
    signal.throwIfAborted();
    logged(table, err);
    return unusable;
  } finally {
    answered.abort();
  }
}
