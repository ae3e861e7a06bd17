import type { BriefedTable, Briefing } from "../briefing.ts";

type Column = BriefedTable["columns"][number];

export const column = (name: string, type: string, more: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: true,
  comment: null,
  isPrimaryKey: false,
  ...more,
});

export const table = (tableName: string, more: Partial<BriefedTable> = {}): BriefedTable => ({
  schemaName: "sales",
  tableName,
  kind: "Table",
  rowEstimate: 1200,
  comment: null,
  context: null,
  columns: [column("id", "bigint", { nullable: false, isPrimaryKey: true }), column("created_at", "date")],
  profile: null,
  ...more,
});

/** An actor that watches orders and has been set up. */
export const briefing = (more: Partial<Briefing> = {}): Briefing => ({
  now: "2026-11-20T12:00:00.000Z",
  occasion: {
    trigger: "InitialSetup",
    instruction: null,
    wishes: null,
    revision: null,
    clauses: [],
    finishedExecutionIds: [],
  },
  actor: {
    name: "Order watch",
    instructions: "Watch that orders come in.",
    additionalContext: null,
    wishes: null,
  },
  limits: { maxQueries: 10, queriesLeft: 9, maxSubscriptionsPerQuery: 3 },
  dataSource: { id: 1, name: "Warehouse", dialect: "postgresql", defaultSchema: "public" },
  tables: [table("orders")],
  findings: { items: [], tablesRead: null, isComplete: true },
  omittedTables: 0,
  queries: [],
  conversation: [],
  pendingActions: [],
  ...more,
});
