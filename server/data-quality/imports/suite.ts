import type { RuleType } from "../rules/rules.ts";
import type { Severity } from "../severities.ts";
import type { ContractContent } from "../version-schema.ts";

/** What another tool's files say about tables, in our words: the same shape for every tool. */

/** A rule as it would be created; its configuration is validated with the contract's schema. */
export type SuiteRule = {
  /** The tool's own identifier of the check, by which it is recognized when it is imported again. */
  id: string;
  /** Where the check is written. */
  path: string;
  /** The kind of check in the tool's words, to count by: `dbt_utils.accepted_range`. */
  family: string;
  name: string;
  type: RuleType;
  column: string | null;
  severity: Severity;
  configuration: Record<string, unknown>;
  tags: string[];
  /** Differences that a person should know about. */
  notes: string[];
  /** The tool's last result, if its files have one. */
  lastStatus: string | null;
};

/** A rule as it was stored when it was imported. */
export type ImportedRule = Omit<ContractContent["rules"][number], "key">;

/** A rule that a check becomes, before it has a name. */
export type Draft = {
  type: RuleType;
  column?: string;
  configuration: Record<string, unknown>;
  notes?: string[];
};

export type SuiteTable = {
  id: string;
  /** null for the data source's default schema. */
  schemaName: string | null;
  tableName: string;
  /** The name of a new contract; without one, it is named after the table. */
  contractName?: string;
  description: string | null;
  owner: string | null;
  tags: string[];
  /** Its own, and those of its columns: they become tags of the table in the catalog. */
  catalogTags: string[];
  /** Whether the data source has it. */
  exists: boolean;
  columns: { name: string; description: string }[];
  rules: SuiteRule[];
};

/** A check without an equivalent, and why. */
export type NotCarried = { id: string; path: string; family: string; reason: string };

export const tools = ["dbt", "soda", "gx"] as const;
export type Tool = (typeof tools)[number];

export type Suite = {
  tool: Tool;
  /** Whether the files have all of the project's tables: those that are missing are gone then. */
  isWhole: boolean;
  /** Separates what is imported from several projects into one data source. */
  project: string;
  /** Of the files' format, in words. */
  version: string;
  tables: SuiteTable[];
  notCarried: NotCarried[];
  warnings: string[];
  /** Which table is made from which, of those that the data source has. null if the tool does not say. */
  lineage: { from: TableName; to: TableName }[] | null;
};
type TableName = { schemaName: string; tableName: string };

/** A rule's own SQL, as tools write it: a query for failing rows, of which there must be none. */
export function customSqlOf(failing: string, counted = "count(*)", fails = "<> 0"): string {
  return `select case when failures ${fails} then 0 else 1 end as passed, failures as actual_value
from (
select coalesce(${counted}, 0) as failures
from (
${failing}
) found
) counted`;
}
