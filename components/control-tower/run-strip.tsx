import { outcomeLooks } from "@/components/subscriptions/outcome.tsx";
import { OutcomeBar } from "@/components/subscriptions/outcome-bar.tsx";
import { formatExact, plural } from "@/components/ui/format.ts";
import type { ExecutionStatus } from "@/server/subscriptions/schema.ts";

const places = 20;
const slot = 20;
const height = 32;

/** The latest runs as bars, the newest at the right, each in its outcome's colour and shape; the list has them in words. */
export function RunStrip({
  executions,
}: {
  /** The newest first. */
  executions: readonly { id: number; status: ExecutionStatus; executedAt: string }[];
}) {
  const counts = new Map<string, number>();
  for (const { status } of executions) {
    const { word } = outcomeLooks[status];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].map(([word, count]) => `${word} ${count}`).join(", ");
  return (
    <svg
      role="img"
      aria-label={`The last ${plural(executions.length, "run")}: ${words}`}
      viewBox={`0 0 ${places * slot} ${height + 1}`}
      className="w-full"
    >
      {executions.slice(0, places).map(({ id, status, executedAt }, index) => {
        const left = (places - 1 - index) * slot;
        return (
          <g key={id}>
            <title>{`${outcomeLooks[status].word}, ${formatExact(new Date(executedAt))}`}</title>
            <rect x={left} width={slot} height={height} fill="transparent" />
            <OutcomeBar status={status} x={left + 2} width={slot - 4} bottom={height} height={height} />
          </g>
        );
      })}
      <rect y={height} width={places * slot} height={1} fill="var(--line)" />
    </svg>
  );
}
