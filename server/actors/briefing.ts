import type { DatabaseSchema } from "../data-sources/database-schema.ts";
import type { DialectName } from "../data-sources/dialects/dialect.ts";
import type { Fault } from "../findings/fault.ts";
import type { TableProfile } from "../profile/table-profile.ts";
import type { Execution } from "../subscriptions/schema.ts";
import type { Clause } from "./feedback.ts";
import type { ProposedAction } from "./proposal.ts";
import type { Trigger } from "./states.ts";
import type { RequestWishes, Wishes } from "./wishes.ts";

/**
 * Everything an actor knows when it thinks, gathered for each cycle and given to whichever model is in use. Names,
 * comments, and messages come from untrusted databases and people; they are data, never instructions.
 */
export type Briefing = {
  /** The service's time as ISO text, not the data source's. */
  now: string;
  occasion: Occasion;
  actor: { name: string; instructions: string; additionalContext: string | null; wishes: Wishes | null };
  limits: {
    maxQueries: number;
    /** How many queries it may still create. */
    queriesLeft: number;
    maxSubscriptionsPerQuery: number;
  };
  dataSource: { id: number; name: string; dialect: DialectName; defaultSchema: string };
  tables: BriefedTable[];
  findings: BriefedFindings;
  /** Tables beyond those in `tables`, which are not shown. */
  omittedTables: number;
  /** The actor's own queries, except locked ones and ones that people extended to several steps. */
  queries: BriefedQuery[];
  /** Messages between people and the actor, oldest first. */
  conversation: { role: "Person" | "Actor"; text: string }[];
  /** Pending proposals; they expire when the actor proposes something new. */
  pendingActions: ProposedAction[];
};

/** Why it thinks. */
export type Occasion = {
  trigger: Trigger;
  /** The person's current request. */
  instruction: string | null;
  /** Chosen in fields next to the instruction, or next to the feedback on a plan. */
  wishes: RequestWishes | null;
  /** A plan sent back for revision; `feedback` says what to change. */
  revision: { feedback: string; analysis: string; keyFindings: string[]; actions: ProposedAction[] } | null;
  /** What the person asked for, part by part, each of which the proposal answers by its number from 1. */
  clauses: Clause[];
  /** Executions of its subscriptions that finished since its last cycle. */
  finishedExecutionIds: number[];
};

export type BriefedTable = DatabaseSchema["items"][number]["tables"][number] & {
  schemaName: string;
  /** What its contracts say that one should know before using it. */
  context: string | null;
  /** Added since the actor's last cycle. */
  isNew?: boolean;
  /** null if reading it failed or took too long. */
  profile: TableProfile | null;
};

export type BriefedFindings = {
  /** What currently looks wrong in the data, worst first, worded and masked like samples. */
  items: Fault[];
  /** The number of tables read for this; null if only stored scan results are known. */
  tablesRead: number | null;
  /** Whether there was time for all detectors. */
  isComplete: boolean;
};

export type BriefedQuery = {
  id: number;
  name: string;
  description: string | null;
  sql: string;
  activeVersion: number;
  subscriptions: {
    id: number;
    cronExpression: string;
    timezone: string;
    enabled: boolean;
    /** Newest first, at most ten. */
    executions: Pick<Execution, "id" | "status" | "rowCount" | "errorMessage" | "executedAt">[];
  }[];
};
