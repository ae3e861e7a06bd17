import { detectors } from "../../server/findings/detectors/detectors.ts";
import { judgedIn } from "../../server/findings/find.ts";
import { calibrated } from "../../server/findings/judge.ts";
import { Lesson, type Taught } from "../../server/findings/teach/lesson.ts";
import { reasonsIn } from "../../server/findings/teach/reasons.ts";
import type { ObservedTable } from "../../server/profile/observed-table.ts";

export type TaughtCells = { answers: Taught[]; cells: Map<string, Set<number>> };

/**
 * What is doubted in a table after the questions that tell most were answered by someone who knows which cells are wrong.
 */
export function taughtCells(
  table: ObservedTable,
  now: number,
  { threshold, isWrong }: { threshold: number; isWrong: (column: string, row: number) => boolean },
): TaughtCells {
  const judged = judgedIn({ tables: [table], now }, detectors, [table]).map(({ candidate, confidence }) => ({
    candidate,
    confidence: calibrated(confidence),
  }));
  const lesson = new Lesson(table.rowCount, reasonsIn(table, judged));
  const answers: Taught[] = [];
  for (let question = lesson.next(answers); question !== null; question = lesson.next(answers)) {
    const { row, column } = question;
    answers.push({ row, column, verdict: isWrong(column, row) ? "Wrong" : "Right" });
  }
  return { answers, cells: lesson.doubted(answers, threshold) };
}
