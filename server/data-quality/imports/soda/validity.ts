import type { CheckedRows } from "../checked-rows.ts";
import { plainNumber } from "../limit.ts";
import type { Draft } from "../suite.ts";
import { isObject, NotCarriedOver, type SodaCheck, textOf } from "./check.ts";
import { formatNamed } from "./formats.ts";

/** Which values are missing, and which are valid, by a check's settings. */
export type Validity = {
  /** The condition that a value is missing besides NULL; null if none is. */
  alsoMissing: string | null;
  /** The condition that a value is valid; null without settings. */
  valid: string | null;
  /** The one rule that says so; null if they are several, or no kind of rule says it. */
  rule: Draft | null;
};

type Part = { condition: string; rule: Draft | null };

export function validityOf(rows: CheckedRows, column: string, { settings }: SodaCheck): Validity {
  const value = rows.quoted(column);
  const missing = [
    ...listOf(rows, value, settings["missing values"], "in"),
    ...regexes(rows, value, settings, "missing"),
  ];
  const parts = validParts(rows, column, settings);
  const [only] = parts;
  return {
    alsoMissing: missing.length === 0 ? null : missing.join(" or "),
    valid:
      parts.length === 0
        ? null
        : parts.map(({ condition }) => (parts.length > 1 ? `(${condition})` : condition)).join(" and "),
    rule: parts.length === 1 && missing.length === 0 ? (only?.rule ?? null) : null,
  };
}

function validParts(rows: CheckedRows, column: string, settings: SodaCheck["settings"]): Part[] {
  const value = rows.quoted(column);
  const name = rows.column(column);
  const parts: Part[] = [];
  for (const condition of listOf(rows, value, settings["valid values"], "in")) {
    const values = settings["valid values"] as unknown[];
    const areTexts = values.every((each) => typeof each === "string" && each.length <= 500);
    const rule: Draft = {
      type: "AllowedValues",
      column: name,
      configuration: { values: [...new Set(values)] },
    };
    parts.push({ condition, rule: areTexts && values.length <= 1000 ? rule : null });
  }
  for (const condition of listOf(rows, value, settings["invalid values"], "not in"))
    parts.push({ condition, rule: null });
  for (const pattern of patternsIn(settings, "valid"))
    parts.push({
      condition: matches(rows, value, pattern),
      rule: { type: "Pattern", column: name, configuration: { pattern } },
    });
  for (const condition of regexes(rows, value, settings, "invalid"))
    parts.push({ condition: `not (${condition})`, rule: null });
  const [min, max] = [numberIn(settings, "valid min"), numberIn(settings, "valid max")];
  if (min !== null || max !== null)
    parts.push({
      condition: [min !== null && `${value} >= ${min}`, max !== null && `${value} <= ${max}`]
        .filter(Boolean)
        .join(" and "),
      rule: {
        ...{ type: "Range", column: name },
        configuration: { ...(min !== null && { min }), ...(max !== null && { max }) },
      },
    });
  for (const [setting, sign] of [
    ["valid length", "="],
    ["valid min length", ">="],
    ["valid max length", "<="],
  ] as const) {
    const length = numberIn(settings, setting);
    if (length !== null)
      parts.push({ condition: `${rows.dialect.length(value)} ${sign} ${length}`, rule: null });
  }
  return parts;
}

function numberIn(settings: SodaCheck["settings"], key: string): string | null {
  const text = textOf(settings[key])?.trim() ?? null;
  if (text !== null && !plainNumber.test(text)) throw new NotCarriedOver(`Its ${key} is not a number`);
  return text;
}

function listOf(rows: CheckedRows, value: string, list: unknown, operator: "in" | "not in"): string[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new NotCarriedOver("Its values are not a list");
  const given = list.filter((each) => each !== null);
  const areNumbers = given.every((each) => typeof each === "number");
  const literals = given.map((each) =>
    ["string", "number", "boolean"].includes(typeof each)
      ? rows.dialect.literal(areNumbers ? (each as number) : String(each))
      : null,
  );
  if (literals.length === 0 || literals.includes(null))
    throw new NotCarriedOver("Its values are not all texts or numbers");
  return [`${areNumbers ? value : rows.dialect.asText(value)} ${operator} (${literals.join(", ")})`];
}

function patternsIn(settings: SodaCheck["settings"], kind: "valid" | "invalid" | "missing"): string[] {
  const regex = textOf(settings[`${kind} regex`]);
  const format = settings[`${kind} format`];
  // Data contracts write the expression beside a name of their own.
  const own = isObject(format) ? textOf(format.regex) : null;
  const named = typeof format === "string" ? formatNamed(format) : null;
  if (format !== undefined && format !== null && own === null && named === null)
    throw new NotCarriedOver(
      `Its ${kind} format is not known: ${String(textOf(format) ?? "").slice(0, 100)}`,
    );
  return [regex, own, named].filter((each) => each !== null);
}

const regexes = (
  rows: CheckedRows,
  value: string,
  settings: SodaCheck["settings"],
  kind: "invalid" | "missing",
) => patternsIn(settings, kind).map((pattern) => matches(rows, value, pattern));

function matches({ dialect }: CheckedRows, value: string, pattern: string): string {
  const literal = dialect.literal(pattern);
  const condition = literal === null ? null : dialect.pattern.matches(dialect.asText(value), literal);
  if (condition === null) throw new NotCarriedOver("This kind of database has no regular expressions");
  return condition;
}
