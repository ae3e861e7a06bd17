import { isAlias, isScalar, LineCounter, parseDocument, stringify, visit } from "yaml";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { createContractInput } from "@/server/data-quality/schema.ts";
import { type RuleForm, ruleFormOf, ruleInputOf } from "./contract-form.ts";
import { ruleMessage } from "./form-paths.ts";

/** The rules of a contract as YAML, in the shape of the REST API. Loaded only when someone asks for it. */

export type YamlProblem = {
  /** Counts from 1. */
  line: number;
  message: string;
};

/** Longer texts are no rules that a person wrote. */
const maxLength = 500_000;
const defaults: Record<string, unknown> = { severity: "Medium", weight: 1, enabled: true };

/** What is as it is by default is left out. A rule's key comes last: it keeps the rule's history. */
export function yamlOf(rules: readonly RuleForm[]): string {
  if (rules.length === 0)
    return "# - name: Orders have a customer\n#   type: NullRate\n#   configuration: { column: customer_id, maxNullPercent: 0 }\n";
  const written = rules.map((rule) => {
    const { key, ...input } = ruleInputOf(rule);
    const said = Object.entries(input).filter(([name, value]) => defaults[name] !== value);
    return { ...Object.fromEntries(said), ...(key && { key }) };
  });
  return stringify(written, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false });
}

/**
 * The rules in a text, or its problems by line, in their order. Validated by the schema of the API. Tags, anchors, and
 * aliases are refused: a short text could become a very large value.
 */
export function rulesIn(
  text: string,
  tableName: string,
): { rules: RuleForm[]; problems: [] } | { rules: null; problems: YamlProblem[] } {
  const wrong = (...problems: YamlProblem[]) => ({ rules: null, problems });
  if (text.length > maxLength) return wrong({ line: 1, message: "The text is too long" });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" });
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line || 1;
  if (document.errors.length > 0)
    return wrong(...document.errors.map(({ pos, message }) => ({ line: lineOf(pos[0]), message })));
  const refused: YamlProblem[] = [];
  visit(document, {
    Node(_, node) {
      const line = lineOf(node.range?.[0]);
      if (isAlias(node) || ("anchor" in node && node.anchor))
        refused.push({ line, message: "Anchors and aliases are not supported" });
      else if (node.tag) refused.push({ line, message: `The tag ${node.tag} is not supported` });
    },
  });
  if (refused.length > 0) return wrong(...refused);
  const value: unknown = document.toJS();
  if (!Array.isArray(value)) return wrong({ line: 1, message: "The rules are a list: begin each with “- ”" });
  const read = createContractInput.safeParse({
    ...around,
    tableName: tableName || around.tableName,
    rules: value,
  });
  if (read.success)
    return { rules: read.data.rules.map((rule) => ruleFormOf(rule as unknown as Rule)), problems: [] };
  const problems = read.error.issues.map(({ path, message }) => {
    const at = path[0] === "rules" ? path.slice(1) : path;
    const name = at.filter((part) => typeof part === "string").join(".");
    const said = ruleMessage(message);
    return { line: lineAt(document, at, lineOf), message: name === "" ? said : `${name}: ${said}` };
  });
  return wrong(...problems.sort((one, other) => one.line - other.line));
}

/** A contract whose rules are checked. */
const around = { name: "A contract", dataSourceId: 1, tableName: "a_table", cronExpression: "0 0 * * *" };

/** The line of a value, or of the nearest thing around it that is there. */
function lineAt(
  document: ReturnType<typeof parseDocument>,
  path: readonly PropertyKey[],
  lineOf: (offset: number | undefined) => number,
): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === "object" && node !== null && "range" in node)
      return lineOf((node.range as [number] | undefined)?.[0]);
    if (isScalar(node)) return lineOf(node.range?.[0]);
  }
  return 1;
}
