import type { SignedIn } from "../../auth/principal.ts";
import { compileFailing, type MeasurableRule } from "../../data-quality/compile.ts";
import { ruleDefinition } from "../../data-quality/rules/rules.ts";
import { getContractSource } from "../../data-quality/service/contract-sources.ts";
import { getContract } from "../../data-quality/service/contracts.ts";
import { namedIn } from "../../data-sources/named-in.ts";
import { Problem } from "../../errors.ts";
import { findTable } from "../../profile/service/find-table.ts";
import type { ReadCauses } from "../schema.ts";
import { explainRows } from "./explain-rows.ts";
import type { RowsAsked } from "./rows-asked.ts";

/**
 * What the failing rows of a contract's rule have in common, as they are now. Throws not_found, rejected for a rule that
 * does not fail row by row and for a contract that keeps no samples, and what a data source that does not respond throws.
 */
export async function explainRule(
  ctx: SignedIn,
  { id, ruleId }: { id: number; ruleId: number },
): Promise<ReadCauses> {
  return explainRows(ctx, await rowsOfRule(ctx, { id, ruleId }));
}

/** The failing rows of a contract's rule. Throws like `explainRule`. */
export async function rowsOfRule(
  ctx: SignedIn,
  { id, ruleId }: { id: number; ruleId: number },
): Promise<RowsAsked> {
  const contract = await getContract(ctx, id);
  const rule = contract.rules.find((each) => each.id === ruleId);
  if (!rule) throw new Problem("not_found", "Rule not found");
  const { dataSourceId, samples: mode } = contract;
  if (mode === "Off") throw new Problem("rejected", "The contract shows no failing rows");
  const { dialect } = await getContractSource(ctx, dataSourceId);
  if (!compileFailing(rule, contract, dialect))
    throw new Problem("rejected", `A ${ruleDefinition(rule.type).label} rule does not fail row by row`);
  const table = await findTable(ctx, dataSourceId, contract);
  const { column } = rule;
  // The same rule about another column, unless it is about rows that other columns choose.
  const movesUp = movingTypes.includes(rule.type) && column !== null && !rule.configuration.where;
  return {
    ...{ dataSourceId, table, mode, column: movesUp ? column : null },
    failingIn: (other, otherColumn, dialect) =>
      compileFailing(
        { type: rule.type, configuration: { ...rule.configuration, column: otherColumn } },
        other,
        dialect,
      ),
    about: columnsOfRule(
      rule,
      table.columns.map(({ name }) => name),
    ),
    failing(dialect) {
      const failing = compileFailing(rule, contract, dialect);
      if (!failing) throw new Error("A data source has one dialect");
      return failing;
    },
  };
}

/** Rules that say the same of a column that theirs is made from. */
const movingTypes: readonly string[] = ["NullRate", "Range", "Pattern", "AllowedValues"];

/** The columns that a rule is about: those that it names, also in a condition that a person wrote. */
function columnsOfRule(
  { configuration, type, column }: MeasurableRule & { column: string | null },
  columns: readonly string[],
): string[] {
  const { condition } = configuration;
  const isNamed =
    type === "RowCondition" && typeof condition === "string" ? namedIn([condition]) : () => false;
  const listed = Array.isArray(configuration.columns) ? configuration.columns : [];
  return columns.filter((name) => name === column || listed.includes(name) || isNamed(name));
}
