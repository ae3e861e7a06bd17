"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { Action } from "@/server/actors/schema.ts";

type WithRules = Extract<Action, { kind: "CreateContract" | "AddRules" }>;

/** The rules of a contract that an action proposes: what each checks, and what it said when it was tried. */
export function ProposedRules({ action: { rules, evidence } }: { action: WithRules }) {
  const { href } = useProject();
  return (
    <section aria-label="Rules" className="flex min-w-0 max-w-3xl flex-col gap-2">
      <ul className="flex min-w-0 flex-col divide-y rounded-md border">
        {rules.map((rule, index) => {
          const { name, type, sentence, findingId } = rule;
          // In the order of the rules, which may have the same name.
          const verdict = evidence?.rules?.[index];
          return (
            <li key={`${name} ${sentence}`} className="flex min-w-0 flex-col gap-1 px-3 py-2">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="min-w-0 font-medium break-words">{name}</span>
                <Badge tone="neutral">{type}</Badge>
                {verdict && (
                  <span className="ml-auto">
                    <Status kind={verdict.passed ? "ok" : "warning"}>
                      {verdict.passed ? "Passes today" : "Fails today"}
                    </Status>
                  </span>
                )}
              </span>
              <span className="break-words text-ink-2">{sentence}.</span>
              {verdict && <Measured verdict={verdict} />}
              {findingId !== null && (
                <Link href={href(`/findings/${findingId}`)} className="text-xs text-accent underline">
                  From a finding
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {evidence && evidence.issues.length > 0 && (
        <ul aria-label="What is wrong" className="flex flex-col gap-1">
          {evidence.issues.map(({ error }) => (
            <li key={error}>
              <Status kind="critical">{error}</Status>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Verdict = NonNullable<NonNullable<Action["evidence"]>["rules"]>[number];

function Measured({ verdict: { passed, actualValue, expectedValue, message } }: { verdict: Verdict }) {
  const parts = [
    actualValue !== null && `measured ${actualValue}`,
    expectedValue !== null && `expected ${expectedValue}`,
    !passed && message,
  ].filter(Boolean);
  return parts.length === 0 ? null : (
    <span className="text-xs break-words text-ink-3 first-letter:uppercase">{parts.join(" · ")}</span>
  );
}
