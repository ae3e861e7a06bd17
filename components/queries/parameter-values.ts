import type { ParameterValue } from "@/server/queries/schema.ts";

/** Values for `{{parameters}}`, as typed. */

export const parameterKinds = ["Text", "Number", "Boolean", "Null"] as const;
export type ParameterKind = (typeof parameterKinds)[number];

/** The typed text; `true` or `false` for a boolean. */
export type ParameterDraft = { kind: ParameterKind; text: string };

export type ParameterDrafts = Readonly<Record<string, ParameterDraft>>;

export const untouched: ParameterDraft = { kind: "Text", text: "" };

/** Drafts of values that a run used. */
export const draftsOf = (values: Readonly<Record<string, ParameterValue>>): ParameterDrafts =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, draftOf(value)]));

function draftOf(value: ParameterValue): ParameterDraft {
  if (value === null) return { kind: "Null", text: "" };
  const kind = ({ string: "Text", number: "Number", boolean: "Boolean" } as const)[
    typeof value as "string" | "number" | "boolean"
  ];
  return { kind, text: String(value) };
}

export type ParameterReading = {
  values: Record<string, ParameterValue>;
  /** Errors by parameter name. */
  problems: Record<string, string>;
};

/** The values of the given names; drafts for other names are ignored. */
export function readParameters(names: readonly string[], drafts: ParameterDrafts): ParameterReading {
  const values: ParameterReading["values"] = {};
  const problems: ParameterReading["problems"] = {};
  for (const name of names) {
    const { kind, text } = (Object.hasOwn(drafts, name) && drafts[name]) || untouched;
    const number = kind === "Number" ? readNumber(text) : null;
    if (typeof number === "string") problems[name] = number;
    else values[name] = number ?? otherValue(kind, text);
  }
  return { values, problems };
}

function otherValue(kind: ParameterKind, text: string): ParameterValue {
  if (kind === "Null") return null;
  return kind === "Boolean" ? text === "true" : text;
}

/** The number, or an error message. */
function readNumber(text: string): number | string {
  const trimmed = text.trim();
  if (trimmed === "") return "is required";
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return "is not a number";
  const number = Number(trimmed);
  if (!Number.isFinite(number)) return "is too large";
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    return "is more than a number holds exactly: give it as text";
  return number;
}
