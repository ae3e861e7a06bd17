"use client";
import { PlaceLink } from "@/components/projects/place-link.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { IncidentChanges as Changes } from "@/server/incidents/schema.ts";

type Change = Changes["items"][number];

const relationWords: Record<Change["relation"], string> = {
  Affected: "here",
  Upstream: "upstream",
  Linked: "linked by a foreign key",
  Project: "in this project",
};

/** What happened in the two days before an incident, nearest first. */
export function IncidentChanges({ id }: { id: number }) {
  const { data } = trpc.incidents.changes.useQuery({ id });
  if (!data) return null;
  const { items, omitted } = data;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes" className="pb-1 text-sm font-semibold">
        What changed before
      </h2>
      {items.length === 0 ? (
        <p className="text-xs text-ink-3">
          Nothing that is known: no event was reported, no contract or query changed, and no table upstream
          had a problem in the two days before. Pipelines can report deployments and loads to{" "}
          <code className="font-mono">POST /svc/api/events</code>, or by OpenLineage.
        </p>
      ) : (
        <ul className="border-t">
          {items.map((item) => (
            <li
              key={`${item.kind} ${item.id} ${item.at}`}
              className="flex flex-wrap items-baseline gap-x-3 border-b py-1.5"
            >
              <span className="w-20 shrink-0 text-xs text-ink-3 sm:w-28">
                <Moment at={item.at} />
              </span>
              <span className="min-w-0 flex-1 break-words">
                {item.isFailure ? (
                  <Status kind="warning" className="items-start whitespace-normal">
                    <PlaceLink place={item}>{item.words}</PlaceLink>
                  </Status>
                ) : (
                  <PlaceLink place={item}>{item.words}</PlaceLink>
                )}
                {item.detail !== null && <span className="text-xs text-ink-3"> {item.detail}</span>}
              </span>
              <span className="text-xs text-ink-3">{relationWords[item.relation]}</span>
            </li>
          ))}
        </ul>
      )}
      {omitted > 0 && (
        <p className="pt-1 text-xs text-ink-3">And {plural(omitted, "other")}, further away.</p>
      )}
    </section>
  );
}
