import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import { figure } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import { column } from "./fields.ts";
import { binaryScoring, defineRule } from "./rule.ts";
import { minutesInWords, unnamed } from "./sentence.ts";
import { couldNotRun, fail, verdict } from "./verdict.ts";

/**
 * The newest value is within a maximum age, by the database's clock. A timestamp without a zone counts as UTC, the
 * session's time zone. A value in the future is fresh.
 */
export const freshness = defineRule({
  type: "Freshness",
  label: "Freshness",
  explanation: "The newest value of a time column is recent enough.",
  scoring: binaryScoring,
  configuration: z.strictObject({ column: databaseName, maxAgeMinutes: z.number().positive().max(1e9) }),
  properties: "column, maxAgeMinutes",
  fields: {
    column: column({ hint: "Times without a zone are read as UTC.", suits: "times" }),
    maxAgeMinutes: { label: "At most", kind: "number", unit: "minutes old" },
  },
  sentence: ({ column, maxAgeMinutes }) =>
    `The newest ${column ?? unnamed} is at most ${minutesInWords(maxAgeMinutes)} old`,
  rowsAre: "counting only rows",
  unit: "Minutes",
  measured: "minutes",
  chart: {
    title: "Age of the newest row",
    variant: "line",
    format: "minutes",
    byGroup: "worst",
    limits: [{ key: "maxAgeMinutes", label: "limit" }],
  },
  typicalMs: 100,
  odcs: { dimension: "timeliness", latency: "maxAgeMinutes" },
  suggests: {
    column: ({ name, kind, newest, ageSeconds }, { seen }) => {
      if ((kind !== "date" && kind !== "time") || ageSeconds === null || newest === null) return [];
      const minutes = ageSeconds / 60;
      // Future values are plans, not a sign of arriving data.
      if (minutes < 0 || minutes > maxSuggestedMinutes) return [];
      // A date's age counts from midnight.
      const needed = kind === "date" ? Math.max(minutes * 2, 2880) : minutes * 2;
      const maxAgeMinutes = ages.find((age) => age >= needed) ?? Math.ceil(needed);
      return [
        {
          name: `${name} is at most ${duration(maxAgeMinutes)} old`,
          configuration: { column: name, maxAgeMinutes },
          evidence: `The newest of ${seen} is ${newest}, ${duration(minutes)} old; the limit is ${duration(maxAgeMinutes)}`,
        },
      ];
    },
  },
  measures: ["ageSeconds", "newest"],
  samples: null,
  usual: {
    kind: "Duration",
    unbounded: { maxAgeMinutes: 1e9 },
    subject: ({ column }) => `the age of the newest ${column ?? unnamed}`,
    figure: (minutes) => `${figure(String(Math.round(minutes)))} min`,
  },
  byGroup: {
    // The oldest group stands for all; one without any value is older than the others.
    all: (groups) =>
      groups.toSorted((a, b) => ageOf(b).comparedTo(ageOf(a)))[0] ?? { ageSeconds: null, newest: null },
    words: (actual) => `the oldest: ${actual}`,
    badness: ageOf,
  },
  interpret({ ageSeconds, newest }, { maxAgeMinutes }) {
    const expected = `at most ${figure(maxAgeMinutes)} min old`;
    if (ageSeconds === null && newest !== null) return couldNotRun(`"${newest}" is not a date or time`);
    if (ageSeconds === null)
      return fail({ expected, actual: "no value", message: "There are no values: no rows, or only NULLs" });
    const minutes = new Decimal(ageSeconds).dividedBy(60);
    const fresh = minutes.lessThanOrEqualTo(maxAgeMinutes);
    return verdict(fresh, {
      expected,
      actual: ageText(minutes),
      message: fresh ? null : `The newest value is ${newest}`,
      measured: minutes.isFinite() ? minutes.toDecimalPlaces(2, Decimal.ROUND_UP) : null,
    });
  },
});

function ageOf({ ageSeconds }: { ageSeconds: string | null }): Decimal {
  return new Decimal(ageSeconds ?? Number.POSITIVE_INFINITY);
}

/** Rounded up, so that a value slightly over the limit never reads as equal to it. */
function ageText(minutes: Decimal): string {
  if (minutes.isNegative()) return "in the future";
  if (!minutes.isFinite()) return "infinitely old";
  return `${figure(minutes.toDecimalPlaces(2, Decimal.ROUND_UP).toFixed())} min old`;
}

/** Data older than this no longer counts as arriving. */
const maxSuggestedMinutes = 60 * 24 * 60;
/** Suggests twice the current age, rounded up to a step: an hour, several hours, days. */
const ages = [60, 120, 360, 720, 1440, 2880, 4320, 10_080, 20_160, 43_200, 86_400, 172_800];

function duration(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} min`;
  if (minutes < 2880) return `${figure(Number((minutes / 60).toFixed(1)))} h`;
  return `${figure(Number((minutes / 1440).toFixed(1)))} days`;
}
