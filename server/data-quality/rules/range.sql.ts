import type { Beyond } from "../../data-sources/dialects/dialect.ts";
import { exactBound } from "./exact-bounds.ts";
import { maxWithin, minWithin } from "./float-bounds.ts";
import { range } from "./range.ts";
import { type SqlScope, sqlFor } from "./rule-sql.ts";
import type { Configuration } from "./rules.ts";

/** Fits 64 bits. */
const wholeNumber = /^-?\d{1,18}$/;

type Bounds = Configuration<"Range">;

/** Compares a value with the bounds; each bound is bound where the text uses it. */
function beyond(
  { bind, decimal, double, maxDecimal, whole, ...sql }: SqlScope,
  { column, min, max }: Bounds,
): Beyond {
  const { type } = sql.column(column);
  const asWhole = type !== undefined && whole?.suits.includes(sql.kindOf(type)) ? whole.cast : null;
  const exact = (bound: string, side: "atLeast" | "atMost") => {
    if (asWhole && wholeNumber.test(bound)) return asWhole(bind(bound));
    const { text, type } =
      maxDecimal === null ? { text: bound, type: "numeric" } : exactBound(bound, side, maxDecimal);
    return decimal(bind(text), type);
  };
  const either = (value: string, atLeast: (min: string) => string, atMost: (max: string) => string) =>
    [min !== undefined && `${value} < ${atLeast(min)}`, max !== undefined && `${value} > ${atMost(max)}`]
      .filter(Boolean)
      .join(" or ");
  return {
    exact: (value) =>
      either(
        value,
        (bound) => exact(bound, "atLeast"),
        (bound) => exact(bound, "atMost"),
      ),
    float: (value, precision) =>
      either(
        value,
        (bound) => double(bind(minWithin(bound, precision))),
        (bound) => double(bind(maxWithin(bound, precision))),
      ),
    hasUpper: max !== undefined,
  };
}

export const rangeSql = sqlFor(range, {
  measure: (sql, bounds) => ({
    aggregates: {
      outside: sql.countOutside(sql.column(bounds.column), beyond(sql, bounds)),
      total: sql.count(),
    },
  }),
  sample: (sql, bounds) => ({ failing: sql.isOutside(sql.column(bounds.column), beyond(sql, bounds)) }),
});
