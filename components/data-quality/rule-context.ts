import type { Kind } from "@/server/data-sources/kinds.ts";
import type { KnownSchema } from "./use-database-schema.ts";

/** What a rule's fields know about its data source. */
export type RuleContext = {
  schema: KnownSchema;
  /** The data source's engine; null if none is selected. */
  engine: Kind | null;
  /** In a template, whose matches fill in the column. */
  fillsColumn?: true;
};
