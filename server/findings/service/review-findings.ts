import type { ObservedTable } from "../../profile/observed-table.ts";
import { log } from "../../telemetry/log.ts";
import { limits } from "../limits.ts";
import type { Merged } from "../merge.ts";
import type { Look, Reviewer } from "../review.ts";
import { reviewed } from "../reviewed.ts";
import { toldTable } from "../told-table.ts";

let reviewer: Reviewer = () => null;

/** What asks the language model stands above: the process says who that is. */
export function setReviewer(given: Reviewer): void {
  reviewer = given;
}

type Ask = NonNullable<ReturnType<Reviewer>>;

/** Nothing that is wrong with a model, or with how it is asked, ends a scan. */
async function reviewOrFailure(ask: Ask, table: ObservedTable, found: readonly Merged[]) {
  let tokensUsed = 0;
  try {
    const answer = await ask(toldTable(table, found));
    tokensUsed = answer.tokensUsed;
    if (answer.failure !== null) return { failure: answer.failure, tokensUsed };
    return { failure: null, tokensUsed, found: reviewed(table, found, answer.review, answer.model) };
  } catch (err) {
    log.error({ err, table: table.tableName }, "A review of findings failed");
    return { failure: "The language model's review could not be used", tokensUsed };
  }
}

/**
 * A language model's look at the tables of one scan, within its budget; null where no model is to be asked. Whatever
 * goes wrong leaves the findings as they are and is told as a note, once.
 */
export function lookOfModel(note: (text: string) => Promise<void>): Look | null {
  const ask = reviewer();
  if (!ask) return null;
  let [calls, tokens, failures] = [0, 0, 0];
  return async (table, found) => {
    if (table.rowCount === 0 || failures >= limits.reviewFailures) return found;
    if (calls >= limits.reviewedTables || tokens >= limits.reviewTokens) {
      await note(
        `The language model looked at ${calls} tables, which is all that one scan asks it for; the others were not shown to it`,
      );
      return found;
    }
    calls++;
    const outcome = await reviewOrFailure(ask, table, found);
    tokens += outcome.tokensUsed;
    if (outcome.failure === null) {
      failures = 0;
      return outcome.found;
    }
    failures++;
    await note(`${outcome.failure}. Findings are as they are without it`);
    return found;
  };
}
