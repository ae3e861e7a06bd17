import { z } from "zod";
import { databaseName, text } from "../../db/schema-parts.ts";

/**
 * What each type of rule is configured with. One place that the browser may load, too: the rule files add the
 * SQL and the verdict.
 */

export const ruleTypes = [
  "Freshness",
  "Volume",
  "NullRate",
  "Uniqueness",
  "Referential",
  "Range",
  "Pattern",
  "CustomSql",
] as const;
export type RuleType = (typeof ruleTypes)[number];

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * A plain decimal number of any size, sent as text or number and kept as text, so that no digit is lost. JSON
 * numbers beyond 2^53 have lost digits before they get here, so those must be sent as text.
 */
const bound = z
  .union([
    z.string(),
    z
      .number()
      .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), {
        error: "must be sent as text, to keep every digit",
      })
      .transform((value) => value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 100 })),
  ])
  .pipe(
    z
      .string()
      .trim()
      .max(100)
      .regex(/^[+-]?(\d+\.?\d*|\.\d+)$/, "must be a plain decimal number"),
  )
  .nullish()
  .transform((value) => value ?? undefined);

/** Whether the decimal `a` is greater than `b`, exactly. Both match `bound`. */
function isGreater(a: string, b: string): boolean {
  const scaled = (value: string, places: number) => {
    const [, sign, whole, fraction] = /^([+-]?)(\d*)\.?(\d*)$/.exec(value) ?? [];
    return BigInt(`${whole ?? ""}${(fraction ?? "").padEnd(places, "0")}` || "0") * (sign === "-" ? -1n : 1n);
  };
  const places = Math.max(...[a, b].map((value) => value.split(".")[1]?.length ?? 0));
  return scaled(a, places) > scaled(b, places);
}

export const configurations = {
  Freshness: z.strictObject({ column: databaseName, maxAgeMinutes: z.number().positive().max(1e9) }),
  Volume: z
    .strictObject({ minRows: count.optional(), maxRows: count.optional() })
    .refine((c) => c.minRows !== undefined || c.maxRows !== undefined, {
      path: ["minRows"],
      message: "minRows or maxRows is required",
    })
    .refine((c) => c.minRows === undefined || c.maxRows === undefined || c.minRows <= c.maxRows, {
      path: ["minRows"],
      message: "must not be above maxRows",
    }),
  NullRate: z.strictObject({ column: databaseName, maxNullPercent: z.number().min(0).max(100) }),
  Uniqueness: z.strictObject({ column: databaseName }),
  Referential: z.strictObject({
    column: databaseName,
    referenceTable: databaseName,
    referenceColumn: databaseName,
    referenceSchema: databaseName.optional(),
  }),
  Range: z
    .strictObject({ column: databaseName, min: bound, max: bound })
    .refine((c) => c.min !== undefined || c.max !== undefined, {
      path: ["min"],
      message: "min or max is required",
    })
    .refine((c) => c.min === undefined || c.max === undefined || !isGreater(c.min, c.max), {
      path: ["min"],
      message: "must not be above max",
    }),
  Pattern: z.strictObject({ column: databaseName, pattern: text(1000).min(1, "is required") }),
  /** Kept and run verbatim, white space and all. */
  CustomSql: z.strictObject({ sql: text(20_000).refine((sql) => sql.trim() !== "", "is required") }),
} as const satisfies Record<RuleType, z.ZodType>;

export type Configuration<Type extends RuleType> = z.output<(typeof configurations)[Type]>;
