import type { FindingKind } from "../../server/findings/kinds.ts";

export type Weights = Record<FindingKind, { bias: number } & Readonly<Record<string, number>>>;

/**
 * Weights set by hand, without data: what a fault needs in order to be shown, and what alone is enough to hide it. The
 * fit starts here, and stays here where there are few examples. A sum of 2.2 means a confidence of 0.9; 0 means 0.5.
 */
export const thoughtOut: Weights = {
  // One in a hundred stands out by itself (rarity 0.5); five in a hundred (0.33) suggest an optional column.
  MissingValue: {
    bias: -2.2,
    rarity: 8,
    few: 0.4,
    isKey: 1.5,
    isOptional: -3.5,
    isOfTree: -4.5,
    isMoment: -1,
    comesWithRows: 2,
    explained: -5,
    isAtEnd: -3,
    isAtStart: -4,
    isForNothing: -6,
  },
  DisguisedMissing: { bias: 0.5, rarity: 3, isForNothing: -6, explained: -4 },
  Duplicate: {
    bias: -2,
    repeatRarity: 3,
    isKey: 1.5,
    isCode: 1,
    isKeptApart: 2,
    isByChance: -4,
    isReference: -2,
    isFirst: 0.5,
    isKeyText: 1,
    isUuid: 1.5,
    isFormed: 0.8,
    isCounted: 1.5,
    isOfOne: 1.5,
    isLong: 1.5,
    isCombination: 0.5,
    isTriple: -0.5,
    isBesideKey: -2.5,
    isSuperseded: -6,
    isWholeRow: 1,
    isWide: 1.5,
  },
  // Haulers whose trucks are not ours have no round of ours either.
  Orphan: { bias: 0.5, rarity: 3, explained: -5, isRespelled: 2.5 },
  OutOfRange: {
    bias: -1,
    gap: 3,
    // Farther out than the tail thins out: what is ten times as far is hardly ever right.
    beyondTail: 5,
    rarity: 2.5,
    slipped: 2,
    isImpossible: 2.5,
    // Where amounts are positive, two in thousands that are not are hardly ever meant.
    changesSign: 3,
    isFuture: 2.5,
    confirmed: -4,
    isKey: -1,
    explained: -5,
    isAtEnd: -0.5,
    isForNothing: -6,
  },
  // How many values hold to a way of writing says as much as how few do not.
  // Nobody writes dates in two ways on purpose, however often.
  Format: { bias: -1.5, rarity: 4, certainty: 2.5, explained: -3, isOtherwise: -0.5, isOfTwoForms: 3 },
  Type: { bias: 1, rarity: 2, explained: -4 },
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
    isOddCase: 2.5,
    isOneLetter: 0.5,
    isLong: 0.5,
  },
  // A dependency between two columns is a law if exceptions are one in a hundred, in many rows; two rows against four
  // just mean two values.
  Inconsistent: {
    bias: -8,
    dominance: 6,
    size: 3,
    rarity: 3,
    brokenShare: -1,
    groups: 3,
    beyondChance: 1.5,
    decidesOthers: 2,
    isNowhereElse: 1,
    isMissing: -0.5,
    isOneState: -4,
    often: -1,
    isToldBySeveral: 10,
    ofNamesakes: -6,
    areChanges: -4,
    explained: -3,
  },
  Impossible: { bias: 0.5, rarity: 3, explained: -2.5 },
  // Longer silent than ever before, while tables that are loaded alike continue.
  Stale: { bias: 1, beyond: 2, alive: 1.5, late: 0.5, alone: 0.3, named: 0.3, archive: -3 },
  // A gap unlike any other in the table, while other tables were loaded. Without those, several gaps are holidays.
  Truncated: {
    bias: -1.2,
    surprise: 2,
    few: 2.5,
    alive: 3,
    isPart: 4,
    isChildless: 3.5,
    madeUp: -4,
  },
  Encoding: { bias: 2, rarity: 2 },
};
