import type { Parameter, Statement } from "../engine.ts";

/**
 * Validates a statement without running it: names, types, and syntax, as when preparing it, using a procedure that
 * every login may call. Provides no plan.
 */
export function describing({ sql, parameters }: Statement): Statement {
  const declared = parameters.map((value, index) => `@p${index + 1} ${declarationOf(value)}`);
  return {
    sql: "exec sys.sp_describe_first_result_set @tsql = @p1, @params = @p2",
    parameters: [sql, declared.length > 0 ? declared.join(", ") : null],
  };
}

/** The longest text in characters that is bound as nvarchar(4000). */
const shortText = 4000;

/** The type of a bound value. All short texts have the same length, so that the server plans a statement once. */
export function declarationOf(
  value: Parameter,
): "bit" | "bigint" | "float" | "nvarchar(4000)" | "nvarchar(max)" {
  if (typeof value === "boolean") return "bit";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "bigint" : "float";
  return value !== null && value.length > shortText ? "nvarchar(max)" : "nvarchar(4000)";
}
