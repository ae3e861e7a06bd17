import { Decimal } from "../score.ts";
import { figure } from "./figures.ts";
import { sortOfColumn } from "./mysql-columns.ts";
import { couldNotRun, defineRule, fail, verdict } from "./rule.ts";

/**
 * The newest value is no older than a maximum age, by the database's own clock. A timestamp without a zone counts
 * as UTC, which is the session's time zone. A value in the future is fresh.
 */
export const freshness = defineRule({
  type: "Freshness",
  label: "Newest value is recent",
  measure: {
    postgresql: ({ id }, { column }) => ({
      aggregates: {
        ageSeconds: `extract(epoch from (now() - max(${id(column)})::timestamptz))`,
        newest: `max(${id(column)})::text`,
      },
    }),
    mysql: (scope, { column }) => {
      const newest = `max(${scope.id(column)})`;
      // Numbers and texts could be read as times, but not reliably: an offset in a text is passed over.
      const isTime = `${sortOfColumn(scope, column, [["date", "datetime", "timestamp"]])} = 0`;
      const age = `timestampdiff(microsecond, ${newest}, utc_timestamp(6)) * 0.000001`;
      return {
        aggregates: { ageSeconds: `case when ${isTime} then ${age} end`, newest: `cast(${newest} as char)` },
      };
    },
    // What has no zone becomes a time at +00:00; what is no time becomes NULL or cannot be converted at all.
    sqlserver: ({ id }, { column }) => {
      const newest = `max(${id(column)})`;
      const inUtc = `cast(switchoffset(try_cast(${newest} as datetimeoffset(7)), '+00:00') as datetime2(7))`;
      // As text, so that no figure of it is rounded on its way.
      const age = `cast(datediff_big(millisecond, ${inUtc}, sysutcdatetime()) * 0.001 as varchar(50))`;
      return { aggregates: { ageSeconds: age, newest: `convert(nvarchar(100), ${newest}, 121)` } };
    },
  },
  interpret({ ageSeconds, newest }, { maxAgeMinutes }) {
    const expected = `at most ${figure(maxAgeMinutes)} min old`;
    if (ageSeconds === null && newest !== null) return couldNotRun(`"${newest}" is no date or time`);
    if (ageSeconds === null)
      return fail({ expected, actual: "no value", message: "There is no value: no rows, or only NULLs" });
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

/** Rounded up, so that what is too old by a moment never reads like the limit itself. */
function ageText(minutes: Decimal): string {
  if (minutes.isNegative()) return "in the future";
  if (!minutes.isFinite()) return "infinitely old";
  return `${figure(minutes.toDecimalPlaces(2, Decimal.ROUND_UP).toFixed())} min old`;
}
