import type { Say } from "../measure.ts";
import { count, table } from "./figures.ts";

/** In deciles of confidence. */
export function calibration(
  say: Say,
  title: string,
  of: readonly { confidence: number; isRight: boolean }[],
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
    ["confidence", "findings", "said", "right"],
    tenths.map((those, tenth) => [
      `${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)}`,
      count(those.length),
      mean(those.map(({ confidence }) => confidence)),
      mean(those.map((finding) => Number(finding.isRight))),
    ]),
  );
}
