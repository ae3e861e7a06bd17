import { Fragment } from "react";
import { cellText } from "@/components/ui/masked-rows.tsx";
import type { Finding } from "@/server/findings/schema.ts";
import { Doubted } from "./doubted.tsx";

/** Two or three rows of a finding in a line: what tells each from others, and the values in doubt. */
export function Examples({ finding: { examples, columns, failingRows } }: { finding: Finding }) {
  if (!examples) return null;
  const more = failingRows - examples.rows.length;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 font-mono text-xs text-ink-3">
      {examples.rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sample have no identity but their place
        <span key={place} className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-x-1.5">
          {row.map((cell, column) => {
            const name = examples.columns[column] ?? "";
            const text = cellText(cell);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Fragment key={column}>
                {(place === 0 || !columns.includes(name)) && <span>{name}</span>}
                {columns.includes(name) ? (
                  <Doubted className="max-w-48 truncate">{text}</Doubted>
                ) : (
                  <span className="max-w-40 truncate text-ink-2">{text}</span>
                )}
              </Fragment>
            );
          })}
        </span>
      ))}
      {more > 0 && <span className="font-sans">and {more.toLocaleString("en")} more</span>}
    </span>
  );
}
