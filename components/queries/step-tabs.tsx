"use client";
import { useRef } from "react";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { CircleAlert, Plus } from "@/components/ui/icons.tsx";
import { maxSteps } from "@/server/queries/max-steps.ts";
import { type DraftStep, nameOfStep } from "./query-draft.ts";

/** The steps in order. The arrow keys select one; with Alt they move it. */
export function StepTabs({
  steps,
  active,
  wrong,
  panelId,
  readOnly,
  onChoose,
  onMove,
  onAdd,
}: {
  steps: readonly DraftStep[];
  active: number;
  /** Indexes of steps with problems. */
  wrong: ReadonlySet<number>;
  panelId: string;
  readOnly: boolean;
  onChoose: (index: number) => void;
  onMove: (by: -1 | 1) => void;
  onAdd: () => void;
}) {
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  return (
    <div className="flex items-end gap-2 overflow-x-auto border-b">
      <div
        role="tablist"
        aria-label="Steps"
        className="flex"
        onKeyDown={(event) => {
          const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
          const next = active + by;
          if (by === 0 || next < 0 || next >= steps.length) return;
          event.preventDefault();
          if (event.altKey && !readOnly) onMove(by);
          else onChoose(next);
          tabs.current[next]?.focus();
        }}
      >
        {steps.map((step, index) => (
          <button
            key={step.key}
            ref={(element) => {
              tabs.current[index] = element;
            }}
            type="button"
            role="tab"
            id={`${panelId}-tab-${index}`}
            aria-controls={panelId}
            aria-selected={index === active}
            aria-keyshortcuts={readOnly ? undefined : "Alt+ArrowLeft Alt+ArrowRight"}
            tabIndex={index === active ? 0 : -1}
            onClick={() => onChoose(index)}
            className={cn(
              "-mb-px flex h-9 items-center gap-2 border-b-2 border-transparent px-3 whitespace-nowrap text-ink-2 outline-offset-[-2px] hover:bg-hover hover:text-ink",
              index === active && "border-accent font-medium text-ink",
            )}
          >
            <span className="text-xs text-ink-3 tabular-nums">{index + 1}</span>
            <span className="max-w-48 truncate">{nameOfStep(step, index)}</span>
            {wrong.has(index) && (
              <CircleAlert role="img" aria-label="has a problem" className="size-3.5 text-critical" />
            )}
          </button>
        ))}
      </div>
      {!readOnly && steps.length < maxSteps && (
        <Button variant="ghost" size="sm" icon={Plus} className="mb-1" onClick={onAdd}>
          Add step
        </Button>
      )}
    </div>
  );
}
