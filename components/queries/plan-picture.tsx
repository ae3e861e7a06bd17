import { formatCount, formatPercent } from "@/components/ui/format.ts";
import { TriangleAlert } from "@/components/ui/icons.tsx";
import type { QueryPlan } from "@/server/queries/plan-schema.ts";

/**
 * A plan as a tree: each operation above what it reads from, the most expensive input first, with a bar for its share of
 * the cost. It is a table, so that it reads the same aloud; the depth is said there, too.
 */
export function PlanPicture({ plan: { lines }, label }: { plan: QueryPlan; label: string }) {
  const total = Math.max(0, ...lines.map(({ ownCost }) => ownCost ?? 0));
  const all = lines.reduce((sum, { ownCost }) => sum + (ownCost ?? 0), 0);
  return (
    <section
      aria-label={`Plan of ${label}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
      tabIndex={0}
      className="row-focus max-h-[28rem] overflow-auto rounded-md border"
    >
      <table className="w-full border-collapse text-xs">
        <thead className="sticky top-0 z-10 bg-canvas text-left text-ink-3">
          <tr>
            <th scope="col" className="h-8 border-b px-2 font-medium">
              Operation
            </th>
            <th scope="col" className="h-8 border-b px-2 text-right font-medium whitespace-nowrap">
              Rows
            </th>
            <th scope="col" className="h-8 w-40 border-b px-2 font-medium whitespace-nowrap">
              Own cost
            </th>
            <th scope="col" className="h-8 border-b px-2 text-right font-medium whitespace-nowrap">
              With inputs
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ depth, operation, detail, rows, cost, ownCost, isMostExpensive }, place) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: a line of a plan is only its place
              key={place}
              className={`border-b border-line last:border-b-0 ${isMostExpensive ? "bg-warning-soft" : ""}`}
            >
              <th scope="row" className="min-w-48 py-1.5 pr-2 pl-2 text-left align-top font-normal">
                <span
                  className="block border-l-2 border-line pl-2"
                  style={{ marginLeft: `${Math.min(depth, 12) * 0.875}rem` }}
                >
                  <span className="sr-only">Level {depth + 1}: </span>
                  <span className="font-medium">{operation}</span>
                  {isMostExpensive && (
                    <span className="ml-2 inline-flex items-center gap-1 align-middle font-medium text-warning">
                      <TriangleAlert aria-hidden className="size-3" /> most expensive
                    </span>
                  )}
                  {detail && (
                    <span className="line-clamp-2 font-mono wrap-anywhere text-ink-2" title={detail}>
                      {detail}
                    </span>
                  )}
                </span>
              </th>
              <td className="px-2 py-1.5 text-right align-top tabular-nums">
                {rows === null ? "–" : formatCount(rows)}
              </td>
              <td className="px-2 py-1.5 align-top">
                {ownCost === null ? (
                  "–"
                ) : (
                  <span className="flex items-center gap-2">
                    <span aria-hidden className="hidden h-1.5 w-16 shrink-0 rounded-sm bg-hover sm:block">
                      <span
                        className={`block h-full rounded-sm ${isMostExpensive ? "bg-warning" : "bg-accent"}`}
                        style={{ width: `${total > 0 ? (ownCost / total) * 100 : 0}%` }}
                      />
                    </span>
                    <span className="whitespace-nowrap tabular-nums">
                      {costText(ownCost)}
                      {all > 0 && (
                        <span className="text-ink-3"> {formatPercent((ownCost / all) * 100, 0)}</span>
                      )}
                    </span>
                  </span>
                )}
              </td>
              <td className="px-2 py-1.5 text-right align-top text-ink-2 tabular-nums">
                {cost === null ? "–" : costText(cost)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Costs have no unit; small ones need their decimals. */
const costText = (cost: number): string =>
  cost < 1000 ? String(Number(cost.toFixed(2))) : formatCount(cost);
