import type { FindingKind } from "../../server/findings/kinds.ts";

export type Weights = Record<FindingKind, { bias: number } & Readonly<Record<string, number>>>;

/**
 * Weights as one would set them without data: what a fault must have to be shown, and what alone is enough to stay
 * silent. The fit starts here, and stays here where examples are few. 2.2 in sum is a confidence of 0.9, 0 one of 0.5.
 */
export const thoughtOut: Weights = {
  // Two in a thousand speak for themselves (rarity 0.67); five in a hundred (0.33) are an optional column.
  MissingValue: {
    bias: -1.5,
    rarity: 6,
    few: 0.3,
    isKey: 1.5,
    isOptional: -3,
    isMoment: -1,
    explained: -5,
    isAtEnd: -3,
  },
  DisguisedMissing: { bias: 0.5, rarity: 3 },
  Duplicate: {
    bias: -2,
    repeatRarity: 3,
    isKey: 1.5,
    isCode: 1,
    isKeptApart: 2,
    isByChance: -4,
    isReference: -2,
    isFirst: 0.5,
    isCombination: 0.5,
    isTriple: -0.5,
    isWholeRow: 1,
    isWide: 1.5,
  },
  Orphan: { bias: 0.5, rarity: 3 },
  OutOfRange: {
    bias: -1,
    gap: 3,
    rarity: 2.5,
    isImpossible: 2.5,
    changesSign: 1.5,
    isFuture: 1.5,
    confirmed: -4,
    isKey: -1,
    explained: -5,
    isAtEnd: -0.5,
  },
  Format: { bias: 0, rarity: 3 },
  Type: { bias: 1, rarity: 2 },
  Variant: {
    bias: -0.5,
    rarity: 2,
    othersRare: -4,
    isRepeating: 1,
    contrast: 2,
    isSameLetters: 1.5,
    isSpace: 1.5,
    agrees: 2.5,
    contradicts: -3,
    isOneLetter: 0.5,
    isLong: 0.5,
  },
  // What one value decides of another is a law where the others are one in a hundred, in many rows; two against four
  // are two values.
  Inconsistent: {
    bias: -7,
    dominance: 6,
    size: 3,
    rarity: 3,
    brokenShare: -1,
    groups: 1.5,
    beyondChance: 1.5,
    decidesOthers: 2,
    isNowhereElse: 1,
    isMissing: -0.5,
    isToldBySeveral: 9,
    explained: -3,
  },
  Impossible: { bias: 0.5, rarity: 3 },
  // A silence like no other before, while what is loaded alike goes on.
  Stale: { bias: 0.6, silence: 0.8, alive: 1.2, named: 0.4, archive: -2 },
  Truncated: { bias: 1 },
  Encoding: { bias: 2, rarity: 2 },
};
