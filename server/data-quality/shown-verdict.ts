import type { Verdict } from "./rules/rule.ts";
import { roundScore } from "./score.ts";

/** A verdict as it is stored and shown: its score with two places, its texts in a shape that can be both. */
export function shownVerdict({ passed, score, expectedValue, actualValue, message }: Verdict) {
  return {
    passed,
    score: roundScore(score),
    expectedValue: storable(expectedValue),
    actualValue: storable(actualValue),
    message: storable(message),
  };
}

/** A text that came from a data source, short enough to show and without what PostgreSQL cannot store. */
export function storable(text: string | null): string | null {
  if (text === null) return null;
  const short = text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
  return short.replaceAll("\u0000", "").toWellFormed();
}
