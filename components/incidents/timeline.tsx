import { formatNumber } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { IncidentEvent } from "@/server/incidents/schema.ts";
import { eventWords } from "./incident-looks.ts";

/** What happened and what people did, oldest first. */
export function Timeline({ events }: { events: readonly IncidentEvent[] }) {
  return (
    <section aria-labelledby="timeline" className="flex min-w-0 flex-col gap-2">
      <h2 id="timeline" className="text-sm font-semibold">
        Timeline
      </h2>
      <ol className="flex flex-col border-l pl-4">
        {events.map(({ id, kind, at, user, text, more }) => (
          <li key={id} className="relative flex min-w-0 flex-col py-1.5">
            <span
              aria-hidden
              className="absolute top-3 -left-[1.3rem] size-2 rounded-full border bg-surface"
            />
            <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-ink-3">
              <span className="font-medium text-ink-2">
                {user ? (
                  <>
                    <Name>{user.name}</Name> {eventWords[kind].by}
                  </>
                ) : (
                  eventWords[kind].own
                )}
              </span>
              <Moment at={at} exact />
            </span>
            {text !== "" && <span className="max-w-prose break-words whitespace-pre-line">{text}</span>}
            {more > 0 && <span className="text-ink-3">and {formatNumber(more)} more</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
