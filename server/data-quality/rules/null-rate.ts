import { Decimal } from "../score.ts";
import { counted, figure, rounded } from "./figures.ts";
import { defineRule, fail, pass, type SampleScope, type SqlScope } from "./rule.ts";

const count = ({ id }: SqlScope, { column }: { column: string }) => ({
  aggregates: { nulls: `count(*) - count(${id(column)})`, total: "count(*)" },
});

const isNull = ({ value }: SampleScope, { column }: { column: string }) => ({
  failing: `${value(column)} is null`,
});

/** The share of NULLs is at or below a percentage. An empty table has none. */
export const nullRate = defineRule({
  type: "NullRate",
  label: "Few values are missing",
  measure: {
    postgresql: count,
    mysql: count,
    // Some types cannot be counted, but any can be NULL.
    sqlserver: ({ id }, { column }) => ({
      aggregates: { nulls: `count_big(case when ${id(column)} is null then 1 end)`, total: "count_big(*)" },
    }),
  },
  sample: { postgresql: isNull, mysql: isNull, sqlserver: isNull },
  interpret({ nulls, total }, { maxNullPercent }) {
    const rows = new Decimal(total ?? 0);
    const actualNullPercent = rows.isZero() ? rows : new Decimal(nulls ?? 0).times(100).dividedBy(rows);
    const told = {
      expected: `at most ${figure(maxNullPercent)}% NULL`,
      actual: `${rounded(actualNullPercent, 4)}% (${figure(nulls ?? 0)} of ${counted(rows.toFixed(), "row")})`,
      measured: actualNullPercent.toDecimalPlaces(4),
      failing: nulls,
    };
    // Compared without the division, which may not end.
    const within = new Decimal(nulls ?? 0).times(100).lessThanOrEqualTo(rows.times(maxNullPercent));
    if (within) return pass(told);
    // The specification's formula: max(0, 100 − (actualNullPercent − maxNullPercent)).
    const score = Decimal.max(0, new Decimal(100).minus(actualNullPercent.minus(maxNullPercent)));
    return fail({ ...told, score });
  },
});
