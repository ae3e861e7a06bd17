"use client";
import type { ReactNode } from "react";
import { tableHref } from "@/components/catalog/table-href.ts";
import { NextRuns } from "@/components/cron/next-runs.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Lock } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Status, StatusIcon } from "@/components/ui/status.tsx";
import type { Action, Plan } from "@/server/actors/schema.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";
import { ActionEvidence } from "./action-evidence.tsx";
import { ActionResult } from "./action-result.tsx";
import { actionTitle, cronWords, evidenceOf, kindWords } from "./action-words.ts";
import { ChangeBadge } from "./change-badge.tsx";
import type { ActionChange } from "./plan-difference.ts";
import type { PlanLimits } from "./plan-limits.ts";
import { ProposedRules } from "./proposed-rules.tsx";
import { ProposedSql, SqlDiff } from "./proposed-sql.tsx";

export type ActionContext = {
  plan: Plan;
  engine: Kind | null;
  /** Who the actor's subscriptions notify; null while unknown. */
  recipients: string | null;
  limits: PlanLimits | null;
};

/** One action: what it would do, why, and its evidence. */
export function ActionView({
  action,
  change,
  formerVersion,
  workContext,
}: {
  action: Action;
  /** Compared with the chosen earlier version; null if there is none. */
  change: ActionChange | null;
  formerVersion: number | null;
  workContext: ActionContext;
}) {
  const { plan, limits } = workContext;
  const { icon: Icon, word } = kindWords[action.kind];
  const limit = limits?.byIndex.get(action.index);
  const evidence = evidenceOf(action);
  const isOpen = plan.status === "PendingApproval";
  return (
    <article aria-labelledby="action-title" className="flex min-w-0 flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex items-center gap-1.5 text-ink-3">
          <Icon aria-hidden className="size-4 shrink-0" />
          {word}
        </span>
        <h2 id="action-title" className="min-w-0 text-base font-semibold tracking-tight break-words">
          {actionTitle(action)}
        </h2>
        {change && <ChangeBadge change={change.change} />}
        <span className="ml-auto flex flex-wrap items-center gap-x-3">
          {action.status === "Proposed" && evidence === "valid" && (
            <Status kind="ok">{"rules" in action ? "Rules tried" : "Evidence holds"}</Status>
          )}
          {action.status === "Proposed" && evidence === "failing" && (
            <Status kind="warning">Evidence fails</Status>
          )}
        </span>
      </header>
      {(action.status !== "Proposed" || plan.status === "Executing") && (
        <div className="rounded-md border px-3 py-2">
          <ActionResult action={action} isRunning={plan.status === "Executing"} />
        </div>
      )}
      <p className="max-w-prose break-words whitespace-pre-wrap">{action.reasoning}</p>
      <What action={action} change={change} formerVersion={formerVersion} workContext={workContext} />
      {limit && isOpen && (
        <p className="flex items-center gap-1.5 text-ink-2">
          {limit.count > limit.limit && <StatusIcon kind="warning" />}
          <span className="tabular-nums">
            {limit.count > limit.limit
              ? `${limit.whose} would have ${formatNumber(limit.count)} ${limit.what}, and may have ${formatNumber(limit.limit)}: this action will fail.`
              : `With it ${limit.whose.toLowerCase()} has ${formatNumber(limit.count)} of at most ${formatNumber(limit.limit)} ${limit.what}.`}
          </span>
        </p>
      )}
      {action.evidence && !("rules" in action) && (
        <ActionEvidence evidence={action.evidence} of={actionTitle(action)} />
      )}
    </article>
  );
}

function What({
  action,
  change,
  formerVersion,
  workContext: { engine, recipients, plan },
}: {
  action: Action;
  change: ActionChange | null;
  formerVersion: number | null;
  workContext: ActionContext;
}) {
  const former = change?.change === "changed" ? change.former : null;
  const changedFields = change?.change === "changed" ? change.fields : [];
  const facts = changedFields.filter(({ field }) => field !== "SQL");
  const formerFacts = facts.length > 0 && (
    <ul className="flex flex-col gap-1">
      {facts.map(({ field, before, after }) => (
        <li key={field} className="break-words">
          <span className="text-ink-3">{field}: </span>
          <del className="text-ink-2 decoration-critical">{worded(field, before)}</del>{" "}
          <ins className="decoration-ok underline-offset-4">{worded(field, after)}</ins>
        </li>
      ))}
    </ul>
  );
  switch (action.kind) {
    case "CreateQuery": {
      const was = former?.kind === "CreateQuery" && former.sql !== action.sql ? former.sql : null;
      return (
        <>
          {action.description && <p className="max-w-prose break-words text-ink-2">{action.description}</p>}
          {formerFacts}
          {was === null ? (
            <ProposedSql text={action.sql} label={`SQL of ${action.name}`} engine={engine} />
          ) : (
            <SqlDiff
              before={was}
              beforeLabel={`version ${formerVersion} of the plan`}
              after={action.sql}
              afterLabel={`version ${plan.version}`}
              engine={engine}
            />
          )}
        </>
      );
    }
    case "RefineQuery":
      return (
        <>
          <p className="flex flex-wrap items-center gap-x-3">
            <Go path={`/queries/${action.queryId}`}>Open the query</Go>
            {action.isLocked && (
              <Badge tone="warning">
                <Lock aria-hidden className="size-3" />
                locked: this action will fail
              </Badge>
            )}
          </p>
          <SqlDiff
            before={action.currentSql}
            beforeLabel="what runs"
            after={action.proposedSql}
            afterLabel="proposed"
            engine={engine}
          />
          {former?.kind === "RefineQuery" && former.proposedSql !== action.proposedSql && (
            <SqlDiff
              before={former.proposedSql}
              beforeLabel={`proposed in version ${formerVersion}`}
              after={action.proposedSql}
              afterLabel={`proposed in version ${plan.version}`}
              engine={engine}
            />
          )}
        </>
      );
    case "CreateSubscription":
      return (
        <>
          {formerFacts}
          <dl className="grid max-w-3xl gap-x-8 gap-y-3 sm:grid-cols-2">
            <Fact label="Runs">
              {action.queryId !== null ? (
                <Go path={`/queries/${action.queryId}`}>{actionTitle(action)}</Go>
              ) : (
                <>
                  {action.queryName} <span className="text-ink-3">of this plan</span>
                </>
              )}
            </Fact>
            <WhoAndWhen recipients={recipients} {...action} />
          </dl>
        </>
      );
    case "CreateContract":
      return (
        <>
          {formerFacts}
          <dl className="grid max-w-3xl gap-x-8 gap-y-3 sm:grid-cols-2">
            <Fact label="Table">
              <TableLink dataSourceId={plan.dataSourceId} {...action} />
            </Fact>
            <WhoAndWhen recipients={recipients} {...action} />
          </dl>
          <ProposedRules action={action} />
        </>
      );
    case "AddRules":
      return (
        <>
          {formerFacts}
          <p>
            Of <TableLink dataSourceId={plan.dataSourceId} {...action} />. Its other rules stay.{" "}
            <Go path={`/data-quality/contracts/${action.contractId}`}>Open the contract</Go>
          </p>
          <ProposedRules action={action} />
        </>
      );
    case "ArchiveQuery":
      return (
        <p>
          The query disappears from every list, and no subscription runs it.{" "}
          <Go path={`/queries/${action.queryId}`}>Open the query</Go>
        </p>
      );
    case "ArchiveSubscription":
      return (
        <p>
          It no longer runs; the query stays.{" "}
          <Go path={`/subscriptions/${action.subscriptionId}`}>Open the subscription</Go>
        </p>
      );
    case "SendNotification":
      return (
        <>
          {formerFacts}
          <div className="max-w-prose rounded-md border px-3 py-2">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium break-words">{action.subject}</span>
              <Badge
                tone={action.severity === "Critical" || action.severity === "High" ? "warning" : "neutral"}
              >
                {action.severity}
              </Badge>
            </p>
            <p className="pt-1 break-words whitespace-pre-wrap">{action.body}</p>
          </div>
          <p className="text-ink-2">Goes to {recipients ?? "the actor's default recipients"}.</p>
        </>
      );
  }
}

const worded = (field: string, value: string) => (field === "Schedule" ? cronWords(value) : value);

function Go({ path, children }: { path: string; children: ReactNode }) {
  const { href } = useProject();
  return (
    <Link href={href(path)} className="text-accent underline">
      {children}
    </Link>
  );
}

function TableLink({
  dataSourceId,
  schemaName,
  tableName,
}: {
  dataSourceId: number;
  schemaName: string;
  tableName: string;
}) {
  return (
    <Go path={tableHref(dataSourceId, { schemaName, tableName })}>
      {schemaName}.{tableName}
    </Go>
  );
}

/** Who is notified, and when it runs. */
function WhoAndWhen({
  recipients,
  cronExpression,
  timezone,
}: {
  /** null for the actor's own. */
  recipients: ReactNode;
  cronExpression: string;
  timezone: string;
}) {
  return (
    <>
      <Fact label="Notifies">
        {recipients ?? <span className="text-ink-3">the actor's default recipients</span>}
      </Fact>
      <Fact label="When">
        {cronWords(cronExpression)} <span className="text-ink-3">{timezone}</span>
        <span className="block font-mono text-xs text-ink-3">{cronExpression}</span>
      </Fact>
      <Fact label="Next runs">
        <NextRuns expression={cronExpression} timezone={timezone} />
      </Fact>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
