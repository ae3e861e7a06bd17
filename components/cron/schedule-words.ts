import cronstrue from "cronstrue";
import { cronProblem } from "@/server/jobs/cron.ts";

/**
 * A cron expression as a sentence: "Every day at 06:00", "Every 5 minutes". null if it is not a valid schedule.
 * With both a day of month and a day of week, cron runs on either, so the sentence says "or".
 */
export function scheduleWords(expression: string): string | null {
  const text = expression.trim();
  if (cronProblem(text) !== null) return null;
  let words: string;
  try {
    words = cronstrue.toString(text, { use24HourTimeFormat: true });
  } catch {
    return null;
  }
  const [, , dayOfMonth, month, dayOfWeek] = text.split(/\s+/);
  const runsDaily = dayOfMonth === "*" && month === "*" && dayOfWeek === "*";
  // "At 15 minutes past the hour" is meant for every hour, so say so.
  if (/^At \d+ minutes? past the hour$/.test(words))
    return words.replace(/^At (.*) the hour$/, "Every hour, $1 the hour");
  if (runsDaily && /^At \d\d:\d\d/.test(words)) return words.replace("At ", "Every day at ");
  return words.replace(", and on ", ", or on ").replace(", only on ", ", on ");
}
