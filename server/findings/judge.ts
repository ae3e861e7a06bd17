import type { Candidate } from "./candidate.ts";
import { calibration, weights } from "./weights.ts";

/**
 * How likely a candidate is a fault that a person who knows the table would want to hear of, from 0 to 1: a logistic
 * regression over the features of its kind. Pure.
 */
export function confidenceOf({ kind, features }: Pick<Candidate, "kind" | "features">): number {
  const { bias, ...known } = weights[kind];
  let sum = bias;
  for (const [name, weight] of Object.entries(known)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * The confidence of a finding, once all that points at it was counted: of findings at 0.9, nine in ten should be right.
 * `npm run bench -- findings` prints whether they are. Pure.
 */
export function calibrated(
  confidence: number,
  points: readonly (readonly [said: number, right: number])[] = calibration,
): number {
  const next = points.findIndex(([said]) => said >= confidence);
  const [[from, low], [to, high]] = [points[next - 1] ?? [0, 0], points[next] ?? [1, 1]];
  const share = to === from ? high : low + ((high - low) * (confidence - from)) / (to - from);
  return Math.min(share, maxConfidence);
}

/** No corpus is large enough to tell more, and answers can still move what is as sure as this. */
const maxConfidence = 0.99;

/** What is shown unless somebody asks for more. */
export const shownFrom = 0.8;
