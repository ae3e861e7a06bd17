import type { FindingKind } from "./kinds.ts";

/**
 * How much each feature speaks for a candidate of a kind (above 0) or against it, on the logistic scale: 2.2 in sum is a
 * confidence of 0.9, 0 is one of 0.5.
 *
 * Fitted by `npm run bench -- findings --fit`: logistic regression on candidates in clean databases with planted
 * faults, from weights that were thought out and that stay as they are where examples are few
 * (`bench/findings/thought-out.ts`). They know no data set, and how well they do is measured on databases that they were
 * not fitted to.
 */
export const weights: Record<FindingKind, { bias: number } & Record<string, number>> = {
  MissingValue: {
    bias: -1.49,
    rarity: 6.04,
    few: 0.32,
    isKey: 1.39,
    isOptional: -3.07,
    isMoment: -1,
    comesWithRows: 2,
    explained: -4.95,
    isAtEnd: -3,
  },
  DisguisedMissing: {
    bias: 0.52,
    rarity: 3,
  },
  Duplicate: {
    bias: -2.99,
    repeatRarity: 2.82,
    isKey: 2.25,
    isCode: 0.33,
    isKeptApart: 4.39,
    isByChance: -3.61,
    isReference: -2.7,
    isFirst: 1.7,
    isCombination: -0.91,
    isTriple: -1.12,
    isWholeRow: 2.89,
    isWide: 2.53,
  },
  Orphan: {
    bias: 0.85,
    rarity: 3.21,
    named: 0.21,
    isKey: 0.35,
    values: 0.28,
    used: 0.24,
    isNumber: 0.18,
    isBeyond: 0.05,
  },
  OutOfRange: {
    bias: -1.35,
    gap: 2.8,
    rarity: 2.03,
    isImpossible: 2.59,
    changesSign: 1.24,
    isFuture: 1.5,
    confirmed: -4.24,
    isKey: -0.59,
    explained: -5.61,
    isAtEnd: -0.5,
    beyondTail: 0.25,
    likeBulk: 0.24,
  },
  Format: {
    bias: -0.01,
    rarity: 3.01,
    isExact: -0.05,
  },
  Type: {
    bias: 1.29,
    rarity: 2.19,
    few: 0.09,
    size: 0.19,
    isKey: 0.18,
    hasDigits: 0.13,
    repeats: 0.19,
    distinct: 0.19,
  },
  Variant: {
    bias: -0.61,
    rarity: 1.78,
    othersRare: -4.14,
    isRepeating: 0.76,
    contrast: 2.03,
    isSameLetters: 1.85,
    isSpace: 1.53,
    agrees: 2.52,
    contradicts: -3,
    isOneLetter: 0.18,
    isLong: 0.11,
  },
  Inconsistent: {
    bias: -7.08,
    dominance: 5.97,
    size: 2.95,
    rarity: 2.96,
    brokenShare: -1.03,
    groups: 1.44,
    beyondChance: 1.5,
    decidesOthers: 1.93,
    isNowhereElse: 0.98,
    isMissing: -0.49,
    isToldBySeveral: 9,
    explained: -3,
    hasMajority: -0.11,
    isMutual: 0.05,
  },
  Impossible: {
    bias: 0.51,
    rarity: 3.01,
  },
  Stale: {
    bias: 1,
    beyond: 2,
    alive: 1.5,
    late: 0.5,
    named: 0.3,
    archive: -3,
  },
  Truncated: {
    bias: 1,
    surprise: 2,
    few: 1,
    alive: 1,
    isPart: 1.5,
    isChildless: 1,
    madeUp: -4,
  },
  Encoding: {
    bias: 2.32,
    rarity: 2.2,
    few: 0.16,
    size: 0.2,
    isCertain: 0.15,
    isInvisible: 0.08,
    isMarkup: 0.06,
    isLong: 0.05,
  },
};

/**
 * What confidence means: how often findings that were said to be so sure were right, on databases that were left out.
 * Straight lines are between these points.
 */
export const calibration: readonly (readonly [said: number, right: number])[] = [
  [0, 0],
  [0.1, 0.043],
  [0.2, 0.108],
  [0.3, 0.189],
  [0.4, 0.286],
  [0.5, 0.397],
  [0.6, 0.519],
  [0.7, 0.649],
  [0.8, 0.781],
  [0.9, 0.906],
  [1, 1],
];
