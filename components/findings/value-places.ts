import type { ShownEvidence } from "@/server/findings/schema.ts";

import { withoutRepeats } from "./finding-words.ts";

type Placed = { value: string; rows: number; place: number };

/** Where values in doubt lie beside what is usual, in percent of a line; moments count in milliseconds. */
export type ValuePlaces = {
  low: number;
  high: number;
  median: number | null;
  doubted: Placed[];
  /** Far values would press all others into one place. */
  isLogarithmic: boolean;
};

/** Beyond so many times the usual range, distances are drawn by their logarithm. */
const farAway = 12;

const moment = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d|$)/;

/** Room at both ends of the line for the marks, in percent. */
const margin = 4;

/** The number that a value stands for; null for what is neither a number nor a moment. */
function numberOf(value: string): number | null {
  const text = value.trim();
  if (text === "") return null;
  if (moment.test(text)) {
    const time = Date.parse(text.includes(" ") ? text.replace(" ", "T") : text);
    return Number.isNaN(time) ? null : time;
  }
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Places for a picture of the evidence; null where it does not hold numbers, or is masked. Pure. */
export function valuePlaces({ range, doubted: all = [] }: ShownEvidence): ValuePlaces | null {
  if (!range) return null;
  const [low, high, median] = [numberOf(range.low), numberOf(range.high), numberOf(range.median)];
  const values = withoutRepeats(all).flatMap(({ value, rows }) => {
    const number = numberOf(value);
    return number === null ? [] : { value, rows, number };
  });
  if (low === null || high === null || values.length === 0) return null;
  const least = Math.min(low, ...values.map(({ number }) => number));
  const most = Math.max(high, ...values.map(({ number }) => number));
  if (most === least) return null;
  const usual = high - low || Math.abs(high) || 1;
  const isLogarithmic = most - least > usual * farAway;
  // By the logarithm of the distance from the middle of what is usual, to both sides alike.
  const middle = (low + high) / 2;
  const drawn = (number: number) => {
    const distance = number - middle;
    return isLogarithmic ? Math.sign(distance) * Math.log1p(Math.abs(distance) / (usual / 4)) : distance;
  };
  const [from, to] = [drawn(least), drawn(most)];
  const placeOf = (number: number) =>
    Number((margin + ((drawn(number) - from) / (to - from)) * (100 - 2 * margin)).toFixed(2));
  return {
    ...{ low: placeOf(low), high: placeOf(high), median: median === null ? null : placeOf(median) },
    doubted: values.map(({ value, rows, number }) => ({ value, rows, place: placeOf(number) })),
    isLogarithmic,
  };
}
