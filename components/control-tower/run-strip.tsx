import { wordsNow } from "@/components/subscriptions/outcome.tsx";
import { OutcomeBar } from "@/components/subscriptions/outcome-bar.tsx";
import { lookOf, type Outcome } from "@/components/subscriptions/outcome-looks.ts";
import { formatExact, plural } from "@/components/ui/format.ts";
import { useZone } from "@/components/ui/zone.tsx";

const places = 20;
const slot = 20;
const height = 32;

/** The latest runs as bars, newest on the right, in their outcome's color and shape; the list has them as text. */
export function RunStrip({
  executions,
}: {
  /** Newest first. */
  executions: readonly { id: number; outcome: Outcome; executedAt: string }[];
}) {
  const zone = useZone();
  const counts = new Map<string, number>();
  for (const { outcome } of executions) {
    const { word } = lookOf(outcome);
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
      {executions.slice(0, places).map(({ id, outcome, executedAt }, index) => {
        const left = (places - 1 - index) * slot;
        return (
          <g key={id}>
            <title>{`${formatExact(new Date(executedAt), zone)}: ${wordsNow(outcome, zone)}`}</title>
            <rect x={left} width={slot} height={height} fill="transparent" />
            <OutcomeBar
              look={lookOf(outcome)}
              x={left + 2}
              width={slot - 4}
              bottom={height}
              height={height}
            />
          </g>
        );
      })}
      <rect y={height} width={places * slot} height={1} fill="var(--line)" />
    </svg>
  );
}
