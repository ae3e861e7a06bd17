import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { TableProfile } from "../../profile/table-profile.ts";
import { plural } from "../../text.ts";
import { columnsIn, ruleDefinitions } from "../rules/rules.ts";
import type { ContractInput } from "../schema.ts";
import type { SuggestedValue, Suggesting, Suggestion } from "./suggestion.ts";

/** A rule proposed by a kind of rule, as stored in a contract. */
export type Proposal = {
  rule: Required<Pick<RuleInput, "name" | "type" | "severity" | "weight" | "enabled">> & {
    column: string | null;
    configuration: Record<string, unknown>;
  };
  evidence: string;
  /** The values of a list, to choose from. */
  values?: SuggestedValue[];
  /** The fallback if this rule does not hold. */
  otherwise?: Proposal;
};
type RuleInput = ContractInput["rules"][number];

export type Proposing = {
  schemaName: string;
  dialect: Dialect;
  /** The row count of the whole table; null if it could not be counted. */
  totalRows: number | null;
};

/** The proposals of every kind of rule: first for the table, then column by column. Pure. */
export function propose(profile: TableProfile, { schemaName, dialect, totalRows }: Proposing): Proposal[] {
  if (profile.rows === 0) return [];
  const seen = profile.isWhole
    ? `all ${plural(profile.rows, "row")}`
    : `${plural(profile.rows, "row")} sampled from the table`;
  const patterns = dialect.pattern.language;
  const context: Suggesting = { schemaName, patterns, profile, totalRows, seen };
  return [
    ...ruleDefinitions.flatMap(({ type, suggests }) =>
      (suggests?.table?.(context) ?? []).map((each) => proposal(type, each)),
    ),
    ...profile.columns.flatMap((column) =>
      ruleDefinitions.flatMap(({ type, suggests }) =>
        (suggests?.column?.(column, context) ?? []).map((each) => proposal(type, each)),
      ),
    ),
  ];
}

function proposal(
  type: RuleInput["type"],
  {
    name,
    configuration,
    evidence,
    severity = "Medium",
    values,
    otherwise,
  }: Suggestion<Record<string, unknown>>,
): Proposal {
  const shown = name.length > 200 ? `${name.slice(0, 199)}…` : name;
  const column = "column" in configuration ? (columnsIn(type, configuration)[0] ?? null) : null;
  return {
    rule: { name: shown, type, column, severity, weight: 1, enabled: true, configuration },
    evidence,
    ...(values && { values }),
    ...(otherwise && { otherwise: proposal(type, otherwise) }),
  };
}
