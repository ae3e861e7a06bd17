import type { ContractWrite } from "../schema.ts";
import type { ContractContent } from "../version-schema.ts";
import type { RememberedTags } from "./plan-tags.ts";
import type { ImportPlan } from "./schema.ts";
import type { ImportedRule } from "./suite.ts";

/** What planning an import begins with, and what comes out of it. */

/** What was imported before, and what has become of it. */
export type EarlierTable = {
  externalId: string;
  schemaName: string;
  tableName: string;
  descriptions: Readonly<Record<string, string>>;
  tags: RememberedTags;
  /** null without a contract; its content is null if it was archived. */
  contract: { id: number; content: ContractContent | null } | null;
  rules: readonly { key: string; externalId: string; imported: ImportedRule }[];
};

export type PlanOptions = {
  dataSourceId: number;
  defaultSchema: string;
  again: boolean;
  cronExpression: string;
  timezone: string;
  /** Current descriptions by `descriptionKey`. */
  descriptions: ReadonlyMap<string, string>;
  /** The tags that a table has in the catalog. */
  tagsOf: (table: TableName) => readonly string[];
  /** Whether an import of another project gives a table this tag. */
  isTaggedElsewhere: (table: TableName, tag: string) => boolean;
};
export type TableName = { schemaName: string; tableName: string };

/** What to store for a table. */
export type TableWork = {
  externalId: string;
  schemaName: string;
  tableName: string;
  contractId: number | null;
  /** The contract to create or to replace; null to leave it. */
  write: ContractWrite | null;
  archive: boolean;
  /** Rules by their test, with their key if they have one: what is remembered of them. */
  remembered: { externalId: string; key: string | null; imported: ImportedRule }[];
  descriptions: { columnName: string | null; description: string }[];
  rememberedDescriptions: Record<string, string>;
  /** All tags of this table, if they change. */
  tags: (TableName & { tags: string[] }) | null;
  rememberedTags: Record<string, boolean>;
};

export type Planned = { shown: ImportPlan; work: TableWork[] };

export type ShownTable = ImportPlan["tables"][number];
export type ShownRule = ShownTable["rules"][number];
