import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contractRecipients, contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { findingScans } from "../../findings/tables.ts";
import { deliveries, recipients } from "../../notifications/tables.ts";
import { getProject, listProjects } from "../../projects/service.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import type { ServedGuide } from "../schema.ts";
import { guidedDays, statesOf } from "../step-states.ts";
import type { GuideStep } from "../steps.ts";
import { guideChoices } from "../tables.ts";

type Row = {
  source: ServedGuide["source"];
  scan: (Omit<NonNullable<ServedGuide["scan"]>, "startedAt" | "finishedAt"> & Ends) | null;
  contract: ServedGuide["contract"];
  recipient: ServedGuide["recipient"];
  is_used: boolean;
  skipped: GuideStep[] | null;
  is_dismissed: boolean | null;
};
type Ends = { startedAt: string; finishedAt: string | null };

/**
 * How far the caller has got from no data source to a first score, in a project or in all that they may see. It is
 * derived from what exists, by whomever it was made, so that it can be left and resumed anywhere.
 */
export async function loadGuide(
  ctx: SignedIn,
  input: { projectId?: number | undefined },
): Promise<ServedGuide> {
  const projectId = await guidedProject(ctx, input.projectId);
  const { principal } = ctx;
  const isIn = (column: Parameters<typeof inVisibleProject>[1]) =>
    sql`(${projectId}::int is null or ${column} = ${projectId}) and ${inVisibleProject(principal, column) ?? sql`true`}`;
  const [row] = await db.execute<Row>(sql`
    with source as (
      select id, name, project_id as "projectId" from ${dataSources}
      where kind <> 'RestApi' and ${isIn(dataSources.projectId)}
      order by id desc limit 1
    ),
    scan as (
      select scan.status, greatest(scan.tables_done - jsonb_array_length(scan.skipped), 0) as tables,
        scan.rows_read as "rowsRead", scan.started_at as "startedAt", scan.finished_at as "finishedAt"
      from ${findingScans} as scan join source on source.id = scan.data_source_id
      order by scan.id desc limit 1
    ),
    own_contract as (
      select ${contracts.id}, ${contracts.name}, ${contracts.failureThreshold} as threshold, ${contracts.createdAt} as created_at
      from ${contracts} join ${dataSources} on ${dataSources.id} = ${contracts.dataSourceId}
      where ${contracts.archivedAt} is null and ${isIn(dataSources.projectId)}
    ),
    contract as (
      select own.id, own.name, own.threshold,
        (
          select count(*)::int from ${contractRecipients} as told where told.contract_id = own.id
        ) as "recipientCount",
        (
          select evaluation.overall_score from ${evaluations} as evaluation
          where evaluation.contract_id = own.id and evaluation.evaluated_at is not null
            and evaluation.not_evaluated_because is null
          order by evaluation.evaluated_at desc, evaluation.id desc limit 1
        ) as score
      from own_contract as own order by own.id desc limit 1
    ),
    recipient as (
      select own.id, own.name, own.project_id as "projectId", exists (
        select from ${deliveries} as delivery where delivery.recipient_id = own.id and delivery.status = 'Sent'
      ) as "wasReached"
      from ${recipients} as own
      where own.archived_at is null and own.id in (
        select ${recipients.id} from ${recipients} where ${isIn(recipients.projectId)}
      )
      -- One that was reached is all that is asked for, so it comes before a newer one that was not.
      order by "wasReached" desc, own.id desc limit 1
    )
    select (select to_jsonb(source) from source) as source, (select to_jsonb(scan) from scan) as scan,
      (select to_jsonb(contract) from contract) as contract, (select to_jsonb(recipient) from recipient) as recipient,
      exists (
        select from own_contract where created_at < now() - ${guidedDays} * interval '1 day'
      ) or exists (
        select from ${subscriptions} where ${subscriptions.archivedAt} is null and ${isIn(subscriptions.projectId)}
          and ${subscriptions.createdAt} < now() - ${guidedDays} * interval '1 day'
      ) as is_used, choice.skipped, choice.dismissed_at is not null as is_dismissed
    from (select) as always left join lateral (
      select skipped, dismissed_at from ${guideChoices}
      where user_id = ${principal.userId} and (project_id is null or project_id = ${projectId}::int)
      order by project_id nulls last limit 1
    ) as choice on true`);
  if (!row) throw new Error("The guide has no row");
  const { source, scan, contract, recipient } = row;
  const known = {
    ...{ source, contract, recipient },
    scan: scan && {
      ...scan,
      startedAt: new Date(scan.startedAt),
      finishedAt: scan.finishedAt === null ? null : new Date(scan.finishedAt),
    },
  };
  const steps = statesOf(known, row.skipped ?? []);
  return {
    ...{ projectId, steps, ...known },
    isOver: row.is_used || steps.every(({ state }) => state !== "Open"),
    isDismissed: row.is_dismissed ?? false,
  };
}

/** Throws not_found for a project that the caller may not see. */
export async function guidedProject(ctx: SignedIn, projectId: number | undefined): Promise<number | null> {
  if (projectId !== undefined) return (await getProject(ctx, projectId)).id;
  const [only, another] = (await listProjects(ctx)).items;
  return only && !another ? only.id : null;
}
