import { Badge } from "@/components/ui/badge.tsx";
import type { RuleChange, ValueChange, VersionDifference } from "./contract-version-difference.ts";

const tones = { Added: "ok", Removed: "critical", Changed: "neutral" } as const;

/** How two versions of a contract differ: fields, then rules, each with its value before and after. */
export function VersionChanges({ difference }: { difference: VersionDifference }) {
  const { values, rules, isReordered } = difference;
  if (values.length === 0 && rules.length === 0 && !isReordered)
    return <p className="text-ink-2">These versions have the same content.</p>;
  return (
    <div className="flex flex-col gap-5">
      {values.length > 0 && <Values values={values} />}
      {rules.map((rule) => (
        <RuleDifference key={rule.key} rule={rule} />
      ))}
      {isReordered && <p className="text-ink-2">The rules have another order.</p>}
    </div>
  );
}

function RuleDifference({ rule: { name, change, check, values } }: { rule: RuleChange }) {
  return (
    <section aria-label={`Rule ${name}`} className="flex flex-col gap-1.5">
      <h3 className="flex flex-wrap items-center gap-2 text-sm font-medium">
        <span className="min-w-0 wrap-anywhere">Rule “{name}”</span>
        <Badge tone={tones[change]}>{change.toLowerCase()}</Badge>
      </h3>
      {change === "Changed" ? (
        <Values values={values} />
      ) : (
        <p className="text-sm wrap-anywhere text-ink-2">{check}</p>
      )}
    </section>
  );
}

function Values({ values }: { values: readonly ValueChange[] }) {
  return (
    <dl className="grid gap-x-3 gap-y-1.5 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
      {values.map(({ label, before, after }) => (
        <div key={label} className="contents">
          <dt className="text-ink-3 first-letter:uppercase">{label}</dt>
          <dd className="min-w-0 whitespace-pre-line wrap-anywhere max-sm:pb-1">
            <del className="text-ink-2 decoration-critical">{before}</del>
            <span aria-hidden className="px-1.5 text-ink-3">
              →
            </span>
            <ins className="decoration-ok underline-offset-3">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
