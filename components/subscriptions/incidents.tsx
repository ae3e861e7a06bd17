import { Moment } from "@/components/ui/moment.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { StatusIcon, statusColor } from "@/components/ui/status.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { incidentWords } from "./incident-words.ts";

/** What blocks the subscription, at the top of its page. */
export function Incidents({ incidents }: { incidents: Subscription["incidents"] }) {
  return incidents.map(({ kind, reason, openedAt }) => {
    const { kind: status, word, remedy } = incidentWords[kind];
    return (
      <section
        key={kind}
        role="alert"
        aria-label={word}
        className="mb-4 flex items-start gap-2 rounded-md border border-critical/50 bg-critical-soft px-3 py-2"
      >
        <StatusIcon kind={status} className="mt-0.5" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <strong className={statusColor(status)}>{word}</strong>
            <span className="text-ink-2">
              began <Moment at={openedAt} />
            </span>
          </p>
          <p className="break-words first-letter:uppercase">{asSentence(reason)}</p>
          <p className="text-xs text-ink-2">
            The owner and Admins are notified by email, if email is configured. {remedy}
          </p>
        </div>
      </section>
    );
  });
}
