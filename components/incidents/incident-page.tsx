"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { Why } from "@/components/causes/why.tsx";
import { CommentThread } from "@/components/comments/comment-thread.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceNote } from "@/components/silences/silence-note.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Fact, Facts } from "@/components/ui/facts.tsx";
import { plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Status } from "@/components/ui/status.tsx";
import { problemNoun } from "@/server/incidents/problem-noun.ts";
import { firstOf } from "./first-problems.ts";
import { IncidentChanges } from "./incident-changes.tsx";
import { IncidentControls } from "./incident-controls.tsx";
import { stateKinds } from "./incident-looks.ts";
import { IncidentProblems } from "./incident-problems.tsx";
import { IncidentStatus } from "./incident-status.tsx";
import { Lasted } from "./lasted.tsx";
import { Timeline } from "./timeline.tsx";
import { useIncidentActions } from "./use-incident-actions.ts";

/** One incident: what happened, what is affected, who looks after it, and its timeline. */
export function IncidentPage({ id }: { id: number }) {
  const { href } = useProject();
  const mayWork = useMay("incidents:work");
  const [incident] = trpc.incidents.get.useSuspenseQuery(firstOf(id), { refetchInterval: 15_000 });
  const { comment } = useIncidentActions(incident);
  const { state, title, problems, timeline, owners, currentCount, problemCount, tableCount } = incident;
  const noun = problemNoun(incident.subjects.map((subject) => subject === "Table"));
  const isOver = state === "Resolved";
  const silenced = isSilenced(incident, useNow());
  return (
    <>
      <PageHeader
        parent={{ href: href("/incidents"), label: "Incidents" }}
        title={title}
        description={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <Status kind={stateKinds[state]}>{state}</Status>
            {!isOver && <IncidentStatus incident={incident} />}
          </span>
        }
        actions={<IncidentControls incident={incident} isSilenced={silenced} />}
      />
      {silenced && !isOver && (
        <div className="mb-3">
          <SilenceNote {...incident} />
        </div>
      )}
      <Facts>
        <Fact label="Began">
          <Moment at={incident.openedAt} />
        </Fact>
        <Fact label={isOver ? "Lasted" : "Lasting for"}>
          <Lasted incident={incident} />
        </Fact>
        <Fact label="Problems">
          {isOver || currentCount === problemCount
            ? plural(problemCount, noun)
            : `${currentCount} of ${plural(problemCount, noun)}`}
        </Fact>
        <Fact label="Assignee">{incident.assignee?.name ?? <span className="text-ink-3">nobody</span>}</Fact>
        <Fact label={isOver ? "Resolved" : "Acknowledged"}>
          {isOver ? (
            <>
              <Moment at={incident.resolvedAt} />{" "}
              {incident.resolvedBy ? `by ${incident.resolvedBy.name}` : "by itself"}
            </>
          ) : incident.acknowledgedBy ? (
            <>
              <Moment at={incident.acknowledgedAt} /> by <Name>{incident.acknowledgedBy.name}</Name>
            </>
          ) : (
            <span className="text-ink-3">not yet</span>
          )}
        </Fact>
      </Facts>
      {(tableCount > 0 || owners.length > 0) && (
        <p className="pt-3 text-ink-2">
          {incident.dataSources.map(({ id: sourceId, name }, at) => (
            <span key={sourceId}>
              {at > 0 && ", "}
              <Link className="hover:underline" href={href(`/data-sources/${sourceId}`)}>
                {name}
              </Link>
            </span>
          ))}
          {tableCount > 0 && <>: {plural(tableCount, "table")} affected.</>}
          {owners.length > 0 && <> Owned by {owners.map(({ name }) => name).join(", ")}.</>}
        </p>
      )}
      <div className="flex flex-col gap-8 py-6">
        <IncidentProblems incidentId={id} first={problems} count={problemCount} />
        <Why of={{ incidentId: id }} />
        <IncidentChanges id={id} />
        <div className="grid gap-8 lg:grid-cols-2">
          <Timeline events={timeline} />
          <CommentThread
            items={timeline.flatMap(({ kind, user, text, at, ...event }) =>
              kind === "Commented" && user ? { ...event, user, text, createdAt: at } : [],
            )}
            mayComment={mayWork}
            placeholder="What you have found out, or done"
            send={comment}
          />
        </div>
      </div>
    </>
  );
}
