"use client";
import { cn } from "@/components/ui/class-names.ts";
import { formatExact } from "@/components/ui/format.ts";
import { CircleDashed } from "@/components/ui/icons.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { type PhaseStep, phaseSteps } from "./phase-steps.ts";

const words: Record<PhaseStep["state"], string> = {
  done: "done",
  current: "in progress",
  failed: "failed here",
  ahead: "pending",
};

/** The phases of a cycle, each with an icon and a screen-reader word for its progress. */
export function PhaseStepper({ of }: { of: Parameters<typeof phaseSteps>[0] }) {
  const zone = useZone();
  return (
    <ol aria-label="Phases" className="flex flex-wrap items-center gap-x-1 gap-y-1.5">
      {phaseSteps(of).map(({ phase, state, at }, place) => (
        <li
          key={phase}
          aria-current={state === "current" ? "step" : undefined}
          title={at === null ? undefined : formatExact(new Date(at), zone)}
          suppressHydrationWarning
          className="flex items-center gap-1"
        >
          {place > 0 && <span aria-hidden className="w-3 border-t border-control sm:w-6" />}
          <span
            className={cn(
              "flex items-center gap-1.5",
              state === "ahead" ? "text-ink-3" : "text-ink-2",
              state === "current" && "font-medium text-accent",
              state === "failed" && "font-medium text-critical",
            )}
          >
            {state === "ahead" ? (
              <CircleDashed aria-hidden className="size-4 shrink-0 text-ink-3" />
            ) : (
              <StatusIcon kind={state === "done" ? "ok" : state === "current" ? "running" : "critical"} />
            )}
            {phase}
            <span className="sr-only">, {words[state]}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
