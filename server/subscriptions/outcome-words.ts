import { figure, plural } from "../text.ts";
import type { OutcomeOf } from "./schema.ts";

/** An outcome's three facts in words, for the browser and assistants alike. Pure. */

type Outcome = OutcomeOf<string | Date>;

const rows = (count: number) => plural(count, "row");

export const runWords: Record<Outcome["run"], string> = {
  Running: "running",
  Ran: "ran",
  CouldNotRun: "could not run",
  TimedOut: "timed out",
};

/** "22 rows", "nothing", "1 row, unusual", "50 rows, enough". */
export function foundWords({ rowCount, verdict, isUsual }: NonNullable<Outcome["found"]>): string {
  const facts = [
    rowCount === 0 ? "nothing" : rows(rowCount),
    verdict === "BelowThreshold" && "not above the threshold",
    verdict === "Nothing" && rowCount > 0 && "enough",
    isUsual !== null && (isUsual ? "usual" : "unusual"),
  ];
  return facts.filter(Boolean).join(", ");
}

/**
 * "told 2 of 2", "nobody to tell", "silenced until 14:00", "told 1 of 2, delivery failed". `timeWords` formats times.
 */
export function toldWords(
  { state, recipients, sent, silencedUntil }: Outcome["told"],
  timeWords: (at: string | Date) => string,
): string {
  const told = `told ${figure(sent)} of ${figure(recipients)}`;
  const andSo = (words: string) => (sent > 0 ? `${told}, ${words}` : words);
  switch (state) {
    case "NothingToTell":
      return "nothing to tell";
    case "NobodyToTell":
      return "nobody to tell";
    case "Silenced":
      return silencedUntil == null ? "silenced" : `silenced until ${timeWords(silencedUntil)}`;
    case "Sending":
      return andSo("sending");
    case "Retrying":
      return andSo("delivery failed, retrying");
    case "DeliveryFailed":
      return andSo("delivery failed");
    case "Told":
      return told;
  }
}

/** The whole outcome in one line: "found 22 rows; told 2 of 2", "could not run". */
export function outcomeWords(outcome: Outcome, timeWords: (at: string | Date) => string): string {
  const { run, found, told } = outcome;
  if (!found) return runWords[run];
  return [`found ${foundWords(found)}`, told.state !== "NothingToTell" && toldWords(told, timeWords)]
    .filter(Boolean)
    .join("; ");
}
