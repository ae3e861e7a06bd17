import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { paged } from "../../db/paged.ts";
import { listProjects } from "../../projects/service.ts";
import { getSettings } from "../../settings/service.ts";
import { type Holder, urgencyOf } from "../rank.ts";
import {
  type AttentionKind,
  attentionKinds,
  type Concern,
  type ListAttention,
  type Urgency,
} from "../schema.ts";
import { describeContracts } from "./describe-contracts.ts";
import { describeDecisions } from "./describe-decisions.ts";
import { describeDeliveries } from "./describe-deliveries.ts";
import { describeFindings } from "./describe-findings.ts";
import { describeIncidents } from "./describe-incidents.ts";
import { describeSubscriptions } from "./describe-subscriptions.ts";
import { describeTasks } from "./describe-tasks.ts";
import type { Described, Needing } from "./described.ts";
import { whatNeedsAttention } from "./needing.ts";

type Filter = { projectId?: number | undefined };

async function needing(ctx: SignedIn, { projectId }: Filter) {
  const { fourEyes } = await getSettings();
  return whatNeedsAttention(ctx, { projectId, hasFourEyes: fourEyes });
}

/** How many items need a person now, by kind. */
export async function countAttention(ctx: SignedIn, filter: Filter) {
  const rows = await db.execute<{ kind: AttentionKind; items: number }>(sql`
    with ${await needing(ctx, filter)} select kind, count(*)::int as items from needing group by kind`);
  const of = new Map([...rows].map(({ kind, items }) => [kind, items]));
  const counts = attentionKinds.map((kind) => [kind, of.get(kind) ?? 0] as const);
  return {
    total: counts.reduce((sum, [, items]) => sum + items, 0),
    byKind: Object.fromEntries(counts) as Record<AttentionKind, number>,
  };
}

type Row = {
  kind: AttentionKind;
  id: number;
  project_id: number;
  concern: Concern;
  severity: Urgency | null;
  holder: Holder;
  at: string;
};

/** A page of what needs a person now, worst first; of equal urgency, the newest first. */
export async function listAttention(ctx: SignedIn, { kind = null, page, pageSize, ...filter }: Nullable) {
  const [parts, projects] = await Promise.all([needing(ctx, filter), listProjects(ctx)]);
  const projectNames = new Map(projects.items.map(({ id, name }) => [id, name]));
  return paged(
    { page, pageSize },
    async () => {
      const { total, byKind } = await countAttention(ctx, filter);
      return kind === null ? total : byKind[kind];
    },
    async ({ limit, offset }) => {
      const rows = await db.execute<Row>(sql`
        with ${parts} select kind, id, project_id, concern, severity, holder, at from needing
        where ${kind}::text is null or kind = ${kind}
        order by rank, at desc, kind, id limit ${limit} offset ${offset}`);
      const found = [...rows].map(
        ({ project_id, at, ...row }): Needing => ({ ...row, projectId: project_id, at: new Date(at) }),
      );
      const describedBy = await describer(ctx, found);
      // What has ended since the rows were read is left out.
      return found.flatMap((row) => {
        const described = describedBy(row);
        if (!described) return [];
        return {
          ...described,
          kind: row.kind,
          id: row.id,
          concern: row.concern,
          urgency: urgencyOf(row),
          projectId: row.projectId,
          projectName: projectNames.get(row.projectId) ?? "",
        };
      });
    },
  );
}

type Nullable = Omit<ListAttention, "kind"> & { kind?: AttentionKind | null | undefined };

/** Describes rows with a fixed number of queries by kind. */
async function describer(ctx: SignedIn, rows: readonly Needing[]) {
  const of = (kind: AttentionKind) => rows.filter((row) => row.kind === kind);
  const [incidents, subscriptions, contracts, findings, tasks, deliveries, decisions] = await Promise.all([
    describeIncidents(ctx, of("Incident")),
    describeSubscriptions(ctx, of("Subscription")),
    describeContracts(ctx, of("Contract")),
    describeFindings(of("Findings")),
    describeTasks(ctx, of("Task")),
    describeDeliveries(ctx, of("Delivery")),
    describeDecisions(of("Plan"), of("QueryChange")),
  ]);
  const described: Record<AttentionKind, ReadonlyMap<number, Described>> = {
    Incident: incidents,
    Subscription: subscriptions,
    Contract: contracts,
    Findings: findings,
    Task: tasks,
    Delivery: deliveries,
    ...decisions,
  };
  return ({ kind, id }: Needing) => described[kind].get(id);
}
