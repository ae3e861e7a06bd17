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
export const calibrated = (confidence: number, points: Points = calibration): number =>
  Math.min(interpolated(confidence, points), maxConfidence);

type Points = readonly (readonly [said: number, right: number])[];

/** On straight lines between points that rise from [0, 0] to [1, 1]. Pure. */
export function interpolated(said: number, points: Points): number {
  const next = points.findIndex(([at]) => at >= said);
  const [[from, low], [to, high]] = [points[next - 1] ?? [0, 0], points[next] ?? [1, 1]];
  return to === from ? high : low + ((high - low) * (said - from)) / (to - from);
}

/** No corpus is large enough to tell more, and answers can still move what is as sure as this. */
const maxConfidence = 0.99;

export { shownFrom } from "./shown-from.ts";
