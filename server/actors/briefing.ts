import type { TableProfile } from "../data-quality/suggest/profile.ts";
import type { Dialect } from "../data-sources/engines/engine.ts";
import type { DatabaseSchema } from "../data-sources/schema.ts";
import type { Execution } from "../subscriptions/schema.ts";
import type { ProposedAction } from "./proposal.ts";
import type { Trigger } from "./states.ts";

/**
 * All that an actor knows when it thinks: gathered anew for each cycle, and told to a model of any kind. Names,
 * comments and messages in it come from databases and people whom nobody vouches for; they are data, never orders.
 */
export type Briefing = {
  /** The data source's own time is not asked; this is the service's, as ISO text. */
  now: string;
  occasion: Occasion;
  actor: { name: string; instructions: string; additionalContext: string | null };
  limits: {
    maxQueries: number;
    /** How many queries it may still create. */
    queriesLeft: number;
    maxSubscriptionsPerQuery: number;
  };
  dataSource: { id: number; name: string; dialect: Dialect; defaultSchema: string };
  tables: BriefedTable[];
  /** Tables beyond those in `tables`, which are not shown. */
  omittedTables: number;
  /** The actor's own queries, without those that are locked or that people gave several steps. */
  queries: BriefedQuery[];
  /** What was said between people and the actor, oldest first. */
  conversation: { role: "Person" | "Actor"; text: string }[];
  /** What it has proposed and nobody has decided; it expires when the actor proposes something new. */
  pendingActions: ProposedAction[];
};

/** Why it thinks. */
export type Occasion = {
  trigger: Trigger;
  /** What a person has asked for just now. */
  instruction: string | null;
  /** A plan that a person sent back; `feedback` says what is to be otherwise. */
  revision: { feedback: string; analysis: string; keyFindings: string[]; actions: ProposedAction[] } | null;
  /** Executions of its subscriptions that ended since it thought last. */
  finishedExecutionIds: number[];
};

export type BriefedTable = DatabaseSchema["items"][number]["tables"][number] & {
  schemaName: string;
  /** It was not there when the actor thought last. */
  isNew?: boolean;
  /** null where it was not read, because that took too long or failed. */
  profile: TableProfile | null;
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
