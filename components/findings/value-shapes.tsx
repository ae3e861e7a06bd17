import { plural } from "@/components/ui/format.ts";
import type { ShownEvidence } from "@/server/findings/schema.ts";
import { Doubted } from "./doubted.tsx";

/** How the values of a column are written, with how many rows have each: the usual ways, and the odd ones. */
export function ValueShapes({ shapes }: { shapes: NonNullable<ShownEvidence["shapes"]> }) {
  const most = Math.max(1, ...shapes.map(({ rows }) => rows));
  const cell = "py-1 pr-4 text-left align-middle";
  return (
    <figure className="max-w-2xl pt-3">
      <table className="w-full table-fixed text-xs">
        <caption className="pb-1 text-left text-xs font-semibold text-ink-2">How values are written</caption>
        <thead className="text-ink-3">
          <tr className="border-b border-line">
            <th scope="col" className={`${cell} w-[30%] font-medium`}>
              Shape
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              Such as
            </th>
            <th scope="col" className="w-[34%] py-1 text-right font-medium">
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {shapes.map(({ shape, example, rows, isInDoubt }) => (
            <tr key={`${isInDoubt} ${shape}`} className="border-b border-line">
              <th scope="row" className={`${cell} truncate font-mono font-normal`} title={shape}>
                {isInDoubt ? <Doubted>{shape}</Doubted> : shape}
              </th>
              <td className={`${cell} truncate font-mono text-ink-2`} title={example}>
                {example}
              </td>
              <td className="py-1">
                <span className="grid grid-cols-[minmax(0,1fr)_5.5rem] items-center gap-x-2">
                  <span aria-hidden className="h-1.5 rounded-sm bg-hover">
                    <span
                      className={`block h-full min-w-0.5 rounded-sm ${isInDoubt ? "bg-warning" : "bg-accent"}`}
                      style={{ width: `${(rows / most) * 100}%` }}
                    />
                  </span>
                  <span className="text-right text-ink-2 tabular-nums">{plural(rows, "row")}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="pt-1 text-xs text-ink-3">
        9 stands for a digit, A for a capital, a for a small letter
        {shapes.some(({ shape }) => shape.includes("x")) && ", x for any of these"}
      </figcaption>
    </figure>
  );
}
