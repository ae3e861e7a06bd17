import { trendOf } from "./trend.ts";

/**
 * The last measured score of a contract or table. An evaluation that could not reach the data source is stored with
 * score 0, as specified, but says nothing about the data, so pages do not show its score and trends do not compare with
 * it.
 */

/** A score in a table's history, as stored. Older entries lack `couldNotEvaluate`. */
export type StoredScore = { evaluatedAt: string; score: number; couldNotEvaluate?: boolean };

/** As stored: null if nothing has been measured yet, and `outage` if the latest evaluation could not measure. */
export type MeasuredScore = {
  latest: { score: number; previousScore: number | null; evaluatedAt: string } | null;
  outage: Outage<string> | null;
};

export type Outage<At> = { since: At; reason: string };

/** A measured score with its trend since the previous measured one. */
export function measuredOf<At>(score: number | null, previousScore: number | null, evaluatedAt: At | null) {
  if (score === null || evaluatedAt === null) return null;
  return { score, previousScore, trend: trendOf(score, previousScore), evaluatedAt };
}

type TableScore = {
  currentScore: number;
  previousScore: number | null;
  evaluatedAt: Date;
  measured: MeasuredScore | null;
};

/** A table's last measured score, and since when it could not be measured. */
export function lastMeasuredOf({ currentScore, previousScore, evaluatedAt, measured }: TableScore) {
  if (!measured) return { measured: measuredOf(currentScore, previousScore, evaluatedAt), outage: null };
  const { latest, outage } = measured;
  return {
    measured: latest && measuredOf(latest.score, latest.previousScore, new Date(latest.evaluatedAt)),
    outage: outage && { ...outage, since: new Date(outage.since) },
  };
}
