import { opposite } from "../limit.ts";
import { isObject, NotCarriedOver, type SodaCheck, tagsOf, textOf } from "./check.ts";
import { readLimit, readLine } from "./check-line.ts";
import { filled, type Variables } from "./variables.ts";

/** A check that SodaCL writes as a line, or as a line with settings below it. Throws NotCarriedOver. */
export function readCheck(
  written: unknown,
  context: {
    path: string;
    filter: string | null;
    variables: Variables;
    /** What the file's configurations say of a column. */
    columnSettings: (column: string) => Readonly<Record<string, unknown>>;
  },
): SodaCheck {
  const [line, own] = lineOf(filled(written, context.variables));
  if (line === "group by") return readGrouped(own, context);
  const { metric, columns, limit, settings: said, subject } = readLine(line);
  const columnSettings = columns[0] === undefined ? {} : context.columnSettings(columns[0]);
  const { name, identity, attributes, filter, fail, warn, ...settings } = own;
  const levels = metric === "schema" ? {} : levelsOf({ fail, warn }, limit, metric, settings);
  return {
    id: textOf(identity) ?? subject,
    family: metric,
    path: context.path,
    name: textOf(name),
    ...{ metric, columns, fail: null, warn: null, ...levels },
    settings: { ...columnSettings, ...said, ...settings, ...(metric === "schema" && { fail, warn }) },
    filter: bothOf(context.filter, textOf(filter)),
    tags: tagsOf(attributes),
  };
}

/** The checks of a check by group, each as one of its own with the query. */
export function groupedChecks(written: unknown): unknown[] {
  const settings = isObject(written) ? written["group by"] : undefined;
  if (!isObject(settings) || !Array.isArray(settings.checks)) return [written];
  return settings.checks.map((check: unknown) => ({ "group by": { ...settings, checks: [check] } }));
}

function readGrouped(
  { query, fields, checks }: Record<string, unknown>,
  { path, filter }: { path: string; filter: string | null },
): SodaCheck {
  const [check] = Array.isArray(checks) ? checks : [];
  const listed = Array.isArray(fields) ? fields.flatMap((field) => textOf(field) ?? []) : [];
  if (!textOf(query) || listed.length === 0 || check === undefined)
    throw new NotCarriedOver("Has no query, fields, and checks");
  const [line, own] = lineOf(check);
  const { metric, columns, limit, subject } = readLine(line);
  if (columns.length > 0) throw new NotCarriedOver("Checks something else than a column of its query");
  const { name, identity, attributes, fail, warn } = own;
  return {
    id: textOf(identity) ?? `group by ${listed.join(", ")}: ${subject}`,
    ...{ family: "group by", path, name: textOf(name) ?? `${metric} by ${listed.join(", ")}` },
    ...{ metric: "group by", columns: [], fail: null, warn: null },
    ...levelsOf({ fail, warn }, limit, metric, own),
    settings: { query, fields: listed, figure: metric },
    filter,
    tags: tagsOf(attributes),
  };
}

export const bothOf = (a: string | null, b: string | null) => (a && b ? `(${a}) and (${b})` : (a ?? b));

function lineOf(written: unknown): [string, Record<string, unknown>] {
  if (typeof written === "string") return [written, {}];
  const [entry, ...more] = isObject(written) ? Object.entries(written) : [];
  if (!entry || more.length > 0) throw new NotCarriedOver("Is not written as Soda writes a check");
  const [line, settings] = entry;
  return [line, isObject(settings) ? settings : {}];
}

/** A check without a limit of its own has one for each level. */
function levelsOf(
  { fail, warn }: { fail: unknown; warn: unknown },
  limit: SodaCheck["fail"],
  metric: string,
  settings: Record<string, unknown>,
): Partial<Pick<SodaCheck, "fail" | "warn">> {
  const [failing, warning] = [fail, warn].map((level) => {
    if (level === undefined || level === null) return null;
    const text = textOf(level)?.replace(/^\s*when\s+/i, "");
    if (!text) throw new NotCarriedOver("Its levels cannot be read");
    return opposite(readLimit(text));
  });
  if (failing || warning) return { fail: failing ?? null, warn: warning ?? null };
  if (limit) return { fail: limit };
  const isNone = ["failed rows", "values in", "row_count same as", "anomaly detection"].includes(metric);
  if (!isNone) throw new NotCarriedOver("Has no limit");
  const onlyWarns =
    settings["warn condition"] !== undefined ||
    settings["warn query"] !== undefined ||
    settings.warn_only === true ||
    settings["warn only"] === true;
  const none = readLimit("= 0");
  return onlyWarns ? { warn: none } : { fail: none };
}
