import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatCount, formatFixed, formatNumber, plural } from "@/components/ui/format.ts";
import type { Statistics } from "@/server/control-tower/schema.ts";
import { countFigure, healthFigures } from "./health-figures.ts";
import { healthLooks } from "./health-looks.ts";
import { formatRate } from "./success-rate.ts";
import { type Tower, toggled } from "./use-tower.ts";

/** The six figures, each a filter. While one is active, the statuses also say how many there are without it. */
export function TowerCards({
  statistics,
  whole,
  notRunYet,
  tower: { filters, set },
}: {
  statistics: Statistics;
  whole: Statistics | undefined;
  /** How many of the healthy ones have not run yet. */
  notRunYet: number;
  tower: Pick<Tower, "filters" | "set">;
}) {
  const of = (figure: keyof Statistics) => (whole ? `of ${formatCount(whole[figure])}` : undefined);
  const rate = statistics.overallSuccessRate;
  return (
    <Figures className="grid-cols-3">
      <Figure
        label="Total"
        {...countFigure(statistics.totalSubscriptions)}
        detail={
          <span title={`${formatFixed(rate, 2)} % of all runs were successful`}>{formatRate(rate)} ok</span>
        }
        pressed={filters.status === null && !filters.tasks}
        onPress={() => set({ status: null, tasks: null })}
      />
      {healthFigures.map(([status, figure]) => (
        <Figure
          key={status}
          label={<span title={healthLooks[status].hint}>{healthLooks[status].word}</span>}
          kind={healthLooks[status].kind}
          {...countFigure(statistics[figure])}
          detail={
            of(figure) ??
            (status === "Green" && notRunYet > 0 ? `${formatNumber(notRunYet)} not run yet` : "")
          }
          pressed={filters.status === status}
          onPress={() => set({ status: toggled(filters.status, status) })}
        />
      ))}
      <Figure
        label="Open tasks"
        {...countFigure(statistics.totalUnresolvedTasks)}
        detail={plural(statistics.totalAnomalies30Days, "anomaly", "anomalies")}
        pressed={filters.tasks}
        onPress={() => set({ tasks: filters.tasks ? null : true })}
      />
    </Figures>
  );
}
