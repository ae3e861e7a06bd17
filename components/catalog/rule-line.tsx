import { useProject } from "@/components/projects/use-project.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { TablePage } from "@/server/catalog/schema.ts";

/** A rule with its last result, linked to its contract. */
export function RuleLine({ rule }: { rule: TablePage["rules"][number] }) {
  const { href } = useProject();
  const { contractId, contractName, name, severity, enabled, verdict } = rule;
  const [kind, word] = !enabled
    ? (["neutral", "Switched off"] as const)
    : verdict === null
      ? (["neutral", "Not evaluated yet"] as const)
      : verdict.passed
        ? (["ok", "Passed"] as const)
        : (["critical", "Failed"] as const);
  return (
    <span className="flex min-h-6 min-w-0 items-center gap-1.5 text-xs">
      <Status kind={kind} hideWord>
        {word}
      </Status>
      <Link
        href={href(`/data-quality/contracts/${contractId}`)}
        className="truncate text-ink-2 hover:text-ink hover:underline"
        title={`${word}: ${name} (${severity}), of ${contractName}`}
      >
        {name}
      </Link>
      {enabled && verdict && !verdict.passed && (
        <span className="shrink-0 text-ink-3">
          since <Moment at={verdict.since} />
        </span>
      )}
    </span>
  );
}
