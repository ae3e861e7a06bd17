"use client";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { resultWords, stateLooks, stepTitles } from "./step-words.ts";
import { useGuide, useGuideChoices } from "./use-guide.ts";

/** On Home: how far the first hour has got, until it is over or dismissed. For those who can take its steps. */
export function GettingStartedChecklist() {
  const { href } = useProject();
  const mayTake = useMay("contracts:configure");
  const guide = useGuide();
  const { dismiss, isPending, project } = useGuideChoices();
  if (!mayTake || guide.isOver || guide.isDismissed) return null;
  const done = guide.steps.filter(({ state }) => state === "Done").length;
  return (
    <section aria-labelledby="getting-started" className="mb-6 rounded-md border px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="getting-started" className="text-sm font-semibold">
          Getting started
        </h2>
        <span className="text-sm text-ink-3 tabular-nums">
          {done} of {guide.steps.length} done
        </span>
        <span className="ml-auto flex gap-2">
          <Button
            size="sm"
            variant="ghost"
            pending={isPending}
            onClick={() => void dismiss({ ...project, isDismissed: true })}
          >
            Dismiss
          </Button>
          <ButtonLink href={href("/getting-started")} size="sm" variant="primary">
            {done === 0 ? "Start" : "Continue"}
          </ButtonLink>
        </span>
      </div>
      <ol className="flex flex-col gap-1 pt-2">
        {guide.steps.map(({ step, state }) => {
          const { kind, word } = stateLooks[state];
          const result = resultWords(step, guide);
          return (
            <li key={step} className="flex min-w-0 items-baseline gap-2">
              <StatusIcon kind={kind} className="translate-y-0.5" />
              <span className={state === "Open" ? "" : "text-ink-2"}>
                {stepTitles[step].title} <span className="sr-only">({word})</span>
              </span>
              {result && <span className="min-w-0 truncate text-xs text-ink-3">{result}</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
