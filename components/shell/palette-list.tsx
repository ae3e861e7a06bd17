"use client";
import { useEffect, useRef } from "react";
import { formatScore } from "../data-quality/score.tsx";
import { tableStatusOf } from "../data-quality/score-status.ts";
import { cn } from "../ui/class-names.ts";
import { Status } from "../ui/status.tsx";
import type { Entry, EntryGroup } from "./palette-groups.ts";

/** The palette's options, in groups. The input above keeps focus; `place` is the option Enter chooses. */
export function PaletteList({
  id,
  groups,
  place,
  onPoint,
  onChoose,
}: {
  id: string;
  groups: readonly EntryGroup[];
  place: number;
  onPoint: (key: string) => void;
  onChoose: (entry: Entry) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection may also move when the groups change
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [place, groups[0]?.heading]);

  let next = 0;
  return (
    <div ref={list} id={id} role="listbox" aria-label="Found">
      {groups.map(({ heading, entries }, number) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form controls
        <div key={heading} role="group" aria-labelledby={`${id}-group-${number}`}>
          <div id={`${id}-group-${number}`} role="presentation" className="px-2 py-1 text-xs text-ink-3">
            {heading}
          </div>
          {entries.map((entry) => {
            const position = next++;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input has focus and handles the keys
              <div
                key={entry.key}
                id={`${id}-${position}`}
                role="option"
                tabIndex={-1}
                aria-selected={position === place}
                onPointerMove={() => position !== place && onPoint(entry.key)}
                onClick={() => onChoose(entry)}
                className={cn(
                  "flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1 select-none",
                  position === place && "bg-hover",
                )}
              >
                <Line entry={entry} />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Line({ entry: { icon: Icon, label, hint, score } }: { entry: Entry }) {
  const status = score === undefined ? null : tableStatusOf(score);
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="max-w-[70%] shrink-0 truncate">{label}</span>
      {hint && <span className="ml-auto min-w-0 truncate pl-4 text-xs text-ink-3">{hint}</span>}
      {status && score !== undefined && (
        <span className={cn("flex shrink-0 items-center gap-1 tabular-nums", !hint && "ml-auto")}>
          <Status kind={status.kind} hideWord>
            {status.word}
          </Status>
          {formatScore(score)}
        </span>
      )}
    </>
  );
}
