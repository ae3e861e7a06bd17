import type { ReactNode } from "react";
import { NextRuns } from "@/components/cron/next-runs.tsx";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceNote } from "@/components/silences/silence-note.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { SampleMode } from "@/server/data-sources/sample.ts";
import { ContractCost } from "./contract-cost.tsx";
import { ContractKnownFailures } from "./contract-known-failures.tsx";
import { ContractOwner } from "./contract-owner.tsx";
import { DepartedRules } from "./departed-rules.tsx";
import { nextAlertOf } from "./next-alert.ts";
import { hoursText } from "./reminder-words.ts";

/** Next to the history: the schedule, the recipients, and the description. */
export function ContractSide({ contract }: { contract: Contract }) {
  const { cronExpression, timezone, enabled, alertOnFailure, recipients } = contract;
  const { failureThreshold, reminderHours, openAlert } = contract;
  const { href } = useProject();
  const now = useNow();
  const silenced = isSilenced(contract, now);
  const words = scheduleWords(cronExpression);
  return (
    <aside className="flex min-w-0 flex-col gap-5 text-sm max-lg:order-last">
      {contract.description && (
        <Section title="About">
          <p className="break-words whitespace-pre-line text-ink-2">{contract.description}</p>
        </Section>
      )}
      {contract.context && (
        <Section title="Context for AI">
          <p className="max-h-60 overflow-y-auto break-words whitespace-pre-line text-ink-2">
            {contract.context}
          </p>
        </Section>
      )}
      <Section title="Schedule">
        <p>
          {words ?? cronExpression} <span className="text-ink-3">{timezone}</span>
        </p>
        {words && <p className="font-mono text-xs text-ink-3">{cronExpression}</p>}
        {enabled ? (
          <div className="pt-1">
            <NextRuns expression={cronExpression} timezone={timezone} />
          </div>
        ) : (
          <p className="text-ink-2">The schedule is off; it runs only manually.</p>
        )}
      </Section>
      <Section title="Owner">
        <ContractOwner contract={contract} />
      </Section>
      <Section title="Alerts">
        {silenced && <SilenceNote {...contract} />}
        {!alertOnFailure ? (
          <p className="text-ink-2">Nobody is notified: alerts are off for this contract.</p>
        ) : recipients.length === 0 ? (
          <p className="text-ink-2">
            Nobody is notified: it has no recipients.{" "}
            <Link href={href("/recipients")} className="text-accent underline">
              Recipients
            </Link>
          </p>
        ) : (
          <>
            {openAlert && (
              <p>
                <Status kind="critical">Alert open</Status> since <Moment at={openAlert.openedAt} />, last
                notified <Moment at={openAlert.lastToldAt} />
              </p>
            )}
            <NextAlert contract={contract} now={now} />
            <p className="text-ink-2">
              When a scheduled run scores below {formatNumber(failureThreshold, 2)}, gets worse or recovers
              {reminderHours !== null && `, and every ${hoursText(reminderHours)} until then`}:
            </p>
            <ul className="flex flex-col">
              {recipients.map((recipient) => (
                <li key={recipient.id} className="flex items-baseline gap-2 py-0.5">
                  <span className="truncate" title={recipient.destination}>
                    {recipient.name}
                  </span>
                  <span className="text-xs text-ink-3">{recipient.type}</span>
                  {!recipient.enabled && <Badge>disabled</Badge>}
                </li>
              ))}
            </ul>
          </>
        )}
        {contract.openTaskId !== null ? (
          <p>
            <Link href={href(`/tasks/${contract.openTaskId}`)} className="text-accent underline">
              Its open task
            </Link>
          </p>
        ) : (
          <p className="text-ink-2">
            {contract.createTasks
              ? "Opens a task below the threshold, until it recovers."
              : "Opens no tasks."}
          </p>
        )}
      </Section>
      <ContractKnownFailures
        contractId={contract.id}
        now={now}
        section={(content) => <Section title="Known failures">{content}</Section>}
      />
      <DepartedRules
        contractId={contract.id}
        section={(content) => <Section title="Rules of templates">{content}</Section>}
      />
      <Section title="Failing rows">
        <p className="text-ink-2">{sampleWords[contract.samples]}</p>
      </Section>
      <ContractCost
        contractId={contract.id}
        section={(content) => <Section title="Cost">{content}</Section>}
      />
      <p className="text-xs text-ink-3">
        Changed <Moment at={contract.updatedAt} />, written <Moment at={contract.createdAt} />
      </p>
    </aside>
  );
}

function NextAlert({ contract, now }: { contract: Contract; now: number | null }) {
  const { after, text, reminder } = nextAlertOf(contract, now);
  return (
    <p>
      {after !== null && (
        <>
          After <Moment at={after} exact />:{" "}
        </>
      )}
      {text}
      {reminder !== null && (
        <>
          {" "}
          Otherwise a reminder by the first run from <Moment at={reminder} exact />.
        </>
      )}
    </p>
  );
}

const sampleWords: Record<SampleMode, string> = {
  Off: "Not kept.",
  Masked: "Up to 20 per rule for 30 days, personal data and secrets masked.",
  Full: "Up to 20 per rule for 30 days, as they are.",
};

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}
