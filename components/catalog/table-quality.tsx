"use client";
import { OutageNote } from "@/components/data-quality/outage.tsx";
import { formatScore, ScoreStatusWord, ScoreTrend } from "@/components/data-quality/score.tsx";
import { contractStatusOf, tableStatusOf } from "@/components/data-quality/score-status.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { ButtonLink } from "@/components/ui/button.tsx";
import { FilePlus2 } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { TablePage } from "@/server/catalog/schema.ts";
import { CourseChart } from "./course-chart.tsx";
import { RuleLine } from "./rule-line.tsx";

/** The table's score, its history, and the contracts behind it. */
export function TableQuality({ table, newContract }: { table: TablePage; newContract: string | null }) {
  const { quality, contracts, rules } = table;
  const { href } = useProject();
  const ofTable = rules.filter(({ column }) => column === null);
  if (contracts.length === 0)
    return (
      <section aria-labelledby="quality" className="border-y py-3">
        <h2 id="quality" className="text-base font-semibold tracking-tight">
          Quality
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="text-ink-2">No contract watches this table, so its quality is unknown.</p>
          {newContract && (
            <ButtonLink href={newContract} size="sm" icon={FilePlus2}>
              Create the first
            </ButtonLink>
          )}
        </div>
      </section>
    );
  return (
    <section
      aria-labelledby="quality"
      className="grid gap-x-10 gap-y-4 border-y py-3 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id="quality" className="text-base font-semibold tracking-tight">
            Quality
          </h2>
          {quality ? (
            <>
              {quality.measured && (
                <span className="text-base font-semibold tabular-nums">
                  {formatScore(quality.measured.score)}
                </span>
              )}
              <ScoreStatusWord status={tableStatusOf(quality.measured?.score ?? null, quality.outage)} />
              {quality.measured && (
                <>
                  <ScoreTrend {...quality.measured} outage={quality.outage} />
                  <span className="text-xs text-ink-3">
                    {quality.outage ? "last measured" : "evaluated"}{" "}
                    <Moment at={quality.measured.evaluatedAt} />
                  </span>
                </>
              )}
            </>
          ) : (
            <span className="text-ink-3">Not evaluated yet</span>
          )}
        </div>
        {quality?.outage && <OutageNote outage={quality.outage} measured={quality.measured} />}
        {quality && quality.history.length > 1 && <CourseChart points={quality.history} />}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <ul aria-label="Contracts" className="flex flex-col">
          {contracts.map((contract) => (
            <li key={contract.id} className="flex min-h-7 min-w-0 items-center gap-2">
              <Link
                href={href(`/data-quality/contracts/${contract.id}`)}
                className="min-w-0 truncate font-medium hover:underline"
                title={contract.name}
              >
                {contract.name}
              </Link>
              {!contract.enabled && <span className="text-xs text-ink-3">disabled</span>}
              <span className="ml-auto flex shrink-0 items-center gap-2 text-xs">
                {contract.measured && (
                  <span className="tabular-nums">{formatScore(contract.measured.score)}</span>
                )}
                <ScoreStatusWord status={contractStatusOf(contract)} />
              </span>
            </li>
          ))}
        </ul>
        {ofTable.length > 0 && (
          <div>
            <h3 className="text-xs text-ink-3">Rules on the whole table</h3>
            {ofTable.map((rule) => (
              <RuleLine key={rule.id} rule={rule} />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}
