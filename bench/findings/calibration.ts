import { Random } from "../../faults/random.ts";
import type { Say } from "../measure.ts";
import { count, table } from "./figures.ts";

/** A finding of a database: how sure it was, and whether it was right. `what` is the same for the same finding. */
export type Told = { database: string; what: string; confidence: number; isRight: boolean };

/**
 * In deciles of confidence. What is on the clean copy is found again with every seed: how many different findings there
 * are, and the interval, say how much a share means.
 */
export function calibration(say: Say, title: string, of: readonly Told[]): void {
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    of.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth),
  );
  const figure = (number: number | null) => (number === null ? "–" : number.toFixed(2));
  table(
    say,
    title,
    ["confidence", "findings", "different", "databases", "said", "right", "interval"],
    tenths.map((those, tenth) => [
      `${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)}`,
      count(those.length),
      count(new Set(those.map(({ database, what }) => `${database} ${what}`)).size),
      count(new Set(those.map(({ database }) => database)).size),
      figure(mean(those.map(({ confidence }) => confidence))),
      figure(mean(those.map(({ isRight }) => Number(isRight)))),
      intervalOf(those)?.map(figure).join(" to ") ?? "–",
    ]),
  );
}

const draws = 2000;

/**
 * Between which shares the share that is right lies in 95 of 100 draws of as many databases, with replacement: findings
 * of one database are right or wrong for the same reasons, so databases are what there are few of. null if fewer than
 * two databases have any: one says nothing about others. Pure.
 */
export function intervalOf(of: readonly Told[]): [low: number, high: number] | null {
  const databases = [...Map.groupBy(of, ({ database }) => database).values()].map((findings) => ({
    findings: findings.length,
    right: findings.filter(({ isRight }) => isRight).length,
  }));
  if (databases.length < 2) return null;
  const random = new Random(11);
  const shares = Array.from({ length: draws }, () => {
    const drawn = databases.map(() => random.pick(databases));
    return total(drawn.map(({ right }) => right)) / total(drawn.map(({ findings }) => findings));
  }).toSorted((a, b) => a - b);
  const at = (share: number) => shares[Math.round(share * (draws - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const mean = (numbers: readonly number[]) => (numbers.length === 0 ? null : total(numbers) / numbers.length);
