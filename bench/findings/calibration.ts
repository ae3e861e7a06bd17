import type { Say } from "../measure.ts";
import { count, table } from "./figures.ts";

/**
 * In deciles of confidence. What is on the clean copy is found again with every seed: how many different findings there
 * are says how much a share means.
 */
export function calibration(
  say: Say,
  title: string,
  of: readonly { confidence: number; isRight: boolean; what: string }[],
): void {
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    of.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth),
  );
  const mean = (numbers: number[]) =>
    numbers.length === 0
      ? "–"
      : (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(2);
  table(
    say,
    title,
    ["confidence", "findings", "different", "said", "right"],
    tenths.map((those, tenth) => [
      `${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)}`,
      count(those.length),
      count(new Set(those.map(({ what }) => what)).size),
      mean(those.map(({ confidence }) => confidence)),
      mean(those.map((finding) => Number(finding.isRight))),
    ]),
  );
}
