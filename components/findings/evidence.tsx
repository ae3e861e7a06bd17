import { Fact, Facts } from "@/components/ui/facts.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import type { Finding, ShownEvidence } from "@/server/findings/schema.ts";
import { Doubted } from "./doubted.tsx";
import { withoutRepeats } from "./finding-words.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import { ValueRange } from "./value-range.tsx";
import { ValueShapes } from "./value-shapes.tsx";

/** Whether there is more behind a finding than its sentence and rows. */
export const hasEvidence = ({ doubted, usual, range, since, timeline, shapes }: ShownEvidence): boolean =>
  Boolean(doubted?.length || usual?.length || range || since || timeline?.periods.length || shapes?.length);

/** The figures behind a finding: what is usual, what is not, and where it lies. */
export function Evidence({ finding: { evidence, columns } }: { finding: Finding }) {
  const { range, since, timeline, shapes } = evidence;
  const [doubted, usual] = [withoutRepeats(evidence.doubted ?? []), withoutRepeats(evidence.usual ?? [])];
  const counts = [...doubted, ...usual].map(({ rows }) => rows);
  const most = Math.max(1, ...counts);
  // A bar says something beside one of another length.
  const isComparison = counts.some((rows) => rows !== most);
  return (
    <section aria-labelledby="evidence" className="pt-6">
      <h2 id="evidence" className="pb-2 text-base font-semibold tracking-tight">
        Evidence
      </h2>
      <ValueRange evidence={evidence} column={columns.join(", ")} />
      {timeline && <TimelineChart timeline={timeline} />}
      {shapes && shapes.length > 0 && <ValueShapes shapes={shapes} />}
      {(range || since) && (
        <div className="pt-3">
          <Facts>
            {range && (
              <>
                <Fact label="Usual, from" mono>
                  {range.low}
                </Fact>
                <Fact label="Median" mono>
                  {range.median}
                </Fact>
                <Fact label="Usual, to" mono>
                  {range.high}
                </Fact>
              </>
            )}
            {since && (
              <Fact label="Since" mono>
                {since}
              </Fact>
            )}
          </Facts>
        </div>
      )}
      {(doubted.length > 0 || usual.length > 0) && (
        <div className="grid gap-x-10 gap-y-4 pt-3 md:grid-cols-2">
          <Values title="Values in doubt" values={doubted} most={most} isComparison={isComparison} inDoubt />
          <Values title="Usual values" values={usual} most={most} isComparison={isComparison} />
        </div>
      )}
    </section>
  );
}

const shown = 10;

/** Values with how many rows have each, as bars on one scale. */
function Values({
  title,
  values,
  most,
  isComparison,
  inDoubt = false,
}: {
  title: string;
  values: NonNullable<ShownEvidence["usual"]>;
  most: number;
  isComparison: boolean;
  inDoubt?: boolean;
}) {
  if (values.length === 0) return null;
  const left = values.length - shown;
  return (
    <div className="min-w-0">
      <h3 className="pb-1 text-xs font-semibold text-ink-2">{title}</h3>
      <ul className="flex flex-col">
        {values.slice(0, shown).map(({ value, rows }) => {
          const text = value === "" ? "(empty)" : value;
          return (
            <li
              key={value}
              className="grid min-h-7 grid-cols-[minmax(0,1fr)_5rem_5.5rem] items-center gap-x-3 border-b border-line text-xs"
            >
              <span className="min-w-0 truncate py-1 font-mono" title={text}>
                {inDoubt ? <Doubted>{text}</Doubted> : text}
              </span>
              <span aria-hidden className={isComparison ? "h-1.5 rounded-sm bg-hover" : "invisible"}>
                <span
                  className={`block h-full min-w-0.5 rounded-sm ${inDoubt ? "bg-warning" : "bg-accent"}`}
                  style={{ width: `${(rows / most) * 100}%` }}
                />
              </span>
              <span className="text-right text-ink-2 tabular-nums">{plural(rows, "row")}</span>
            </li>
          );
        })}
      </ul>
      {left > 0 && <p className="pt-1 text-xs text-ink-3">and {formatNumber(left)} more</p>}
    </div>
  );
}
