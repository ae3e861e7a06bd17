import type { ParameterValue } from "@/server/queries/schema.ts";

/** The values of `{{parameters}}` as they are typed in. */

export const parameterKinds = ["Text", "Number", "Boolean", "Null"] as const;
export type ParameterKind = (typeof parameterKinds)[number];

/** What was typed; for a truth value `true` or `false`. */
export type ParameterDraft = { kind: ParameterKind; text: string };

export type ParameterDrafts = Readonly<Record<string, ParameterDraft>>;

export const untouched: ParameterDraft = { kind: "Text", text: "" };

export type ParameterReading = {
  values: Record<string, ParameterValue>;
  /** What is wrong, by name. */
  problems: Record<string, string>;
};

/** The values of the names that are asked for; what was typed for others is left alone. */
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

/** The number, or what is wrong with it. */
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
