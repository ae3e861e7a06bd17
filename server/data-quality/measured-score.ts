import { trendOf } from "./trend.ts";

/**
 * What was last measured of a contract or a table. An evaluation that could not reach the data source is stored with
 * score 0, as the specification has it, but says nothing about the data: so it is neither the score that pages show
 * nor what a trend compares with.
 */

/** One score of a table's history, as it is stored. Rows from before there was `couldNotEvaluate` are without it. */
export type StoredScore = { evaluatedAt: string; score: number; couldNotEvaluate?: boolean };

/** As it is stored: null where nothing has been measured yet, and `outage` while the latest evaluation was not. */
export type MeasuredScore = {
  latest: { score: number; previousScore: number | null; evaluatedAt: string } | null;
  outage: Outage<string> | null;
};

export type Outage<At> = { since: At; reason: string };

/** A score that was measured, with its trend since the measured one before. */
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

/** What a table's row says was last measured, and since when it could not be. */
export function lastMeasuredOf({ currentScore, previousScore, evaluatedAt, measured }: TableScore) {
  if (!measured) return { measured: measuredOf(currentScore, previousScore, evaluatedAt), outage: null };
  const { latest, outage } = measured;
  return {
    measured: latest && measuredOf(latest.score, latest.previousScore, new Date(latest.evaluatedAt)),
    outage: outage && { ...outage, since: new Date(outage.since) },
  };
}
