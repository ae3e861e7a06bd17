import type { Severity } from "../severities.ts";
import type { RuleDefinition } from "./rule.ts";
import { optionKeys, optionsInWords } from "./rule-options.ts";
import { type RuleType, ruleDefinition } from "./rules.ts";
import { columnInWords, tableColumn } from "./table-columns.ts";
import { directionInWords, isBounded } from "./usual.ts";

/** A rule in words. The browser loads this file too. */

export type SaidRule = {
  type: RuleType;
  configuration: Readonly<Record<string, unknown>>;
  severity?: Severity;
  weight?: number | string;
  enabled?: boolean;
};

type Words = Readonly<Record<string, string | null>>;

/**
 * All that a rule says, as one sentence without its period: what it checks, of which rows, by which groups, how many may
 * fail, and how much it counts if that is not the default. What is not written yet is shown as open.
 *
 *     Every delay is between -60 and 1500, where not canceled, up to 2% of the rows may fail; High severity
 */
export function ruleSentence(rule: SaidRule): string {
  const said = wordsIn(rule);
  const checked = [checkInWords(said), optionWords(said)].filter(Boolean);
  return [checked.join(", "), countsInWords(rule)].filter(Boolean).join("; ");
}

/** What a rule says beside what it begins with: its options, and how much it counts; null if nothing. */
export function moreInWords(rule: SaidRule): string | null {
  const said = wordsIn(rule);
  const parts = [usualInWords(said), optionWords(said), countsInWords(rule)];
  return parts.filter(Boolean).join(", ") || null;
}

/** A configuration's value in words; null if it is not set. */
export function valueWords(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return null;
  const columns = tableColumn.array().safeParse(value);
  return (columns.success ? columns.data.map(columnInWords) : value).join(", ");
}

type Said = {
  definition: RuleDefinition;
  /** Of its type's own keys and of its options, in words. */
  values: Words;
  /** Of its options alone. */
  options: Words;
};

function wordsIn({ type, configuration }: SaidRule): Said {
  const definition = ruleDefinition(type);
  const inWords = (keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, valueWords(configuration[key])]));
  const options = inWords(optionKeys(definition, configuration));
  return { definition, values: { ...inWords(Object.keys(definition.fields)), ...options }, options };
}

const optionWords = ({ definition, options }: Said): string | null => optionsInWords(definition, options);

/** What is checked, with its bounds and what is usual. */
function checkInWords(said: Said): string {
  const { definition, values } = said;
  const usual = usualInWords(said);
  if (usual === null) return definition.sentence(values);
  const bounded = "usual" in definition && definition.usual && isBounded(definition.usual, values);
  return bounded ? `${definition.sentence(values)}, and ${usual}` : capitalized(usual);
}

function usualInWords({ definition, values }: Said): string | null {
  if (!("usual" in definition) || !definition.usual || values.usual == null) return null;
  const width = values.usualWidth == null ? "" : ` within ${values.usualWidth} spreads`;
  return `${definition.usual.subject(values)} is ${directionInWords(values.usual)}${width}`;
}

/** What differs from how much a rule counts by default. */
function countsInWords({ severity = "Medium", weight = 1, enabled = true }: SaidRule): string | null {
  const parts = [
    severity !== "Medium" && `${severity} severity`,
    String(weight).trim() !== "1" && `weight ${String(weight).trim() || "…"}`,
    !enabled && "disabled",
  ];
  return parts.filter(Boolean).join(", ") || null;
}

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
