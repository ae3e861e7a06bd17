"use client";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { Suspense, useId, useState } from "react";
import type { Guide } from "@/server/getting-started/schema.ts";
import type { GuideStep } from "@/server/getting-started/steps.ts";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { ChevronDown, ChevronRight } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Status } from "../ui/status.tsx";
import { guideParameters } from "./guide-parameters.ts";
import type { StepProps } from "./step-props.ts";
import { nextStep, resultWords, stateLooks, stepTitles } from "./step-words.ts";
import { useGuide, useGuideChoices } from "./use-guide.ts";

/**
 * What each step does, loaded when it is opened. Those that ask for more than the page has prefetched do so in the browser only:
 * the server would wait three seconds for what it cannot have.
 */
const bodies: Record<GuideStep, React.ComponentType<StepProps>> = {
  Connect: dynamic(async () => (await import("./connect-step.tsx")).ConnectStep),
  Tables: dynamic(async () => (await import("./tables-step.tsx")).TablesStep, { ssr: false }),
  Rules: dynamic(async () => (await import("./rules-step.tsx")).RulesStep),
  Recipient: dynamic(async () => (await import("./recipient-step.tsx")).RecipientStep, { ssr: false }),
  Score: dynamic(async () => (await import("./score-step.tsx")).ScoreStep),
};

/**
 * From nothing to a first score, in five steps. Each creates what it needs in place; each can be skipped, left, and
 * taken again, in any order.
 */
export function GuidePage() {
  const guide = useGuide();
  const mayTake = useMay("contracts:configure");
  const { skip, dismiss, isPending, refresh, reload, project } = useGuideChoices();
  const [{ step: asked }, setParameters] = useQueryStates(guideParameters, { history: "push" });
  const next = nextStep(guide);
  // A step that has just been done stays open until the user moves on, so that its result can be read.
  const [pinned, setPinned] = useState(next);
  const opened = asked ?? pinned;
  const open = (step: GuideStep | null) => {
    setPinned(step);
    void setParameters({ step });
  };
  const moveOn = (latest: Guide) => {
    setPinned(nextStep(latest));
    void setParameters(null);
  };
  const done = guide.steps.filter(({ state }) => state === "Done").length;
  const props: StepProps = {
    guide,
    refresh,
    proceed: async () => moveOn(await reload()),
    open,
  };
  return (
    <>
      <PageHeader
        title="Getting started"
        count={`${done} of ${guide.steps.length} done`}
        actions={
          mayTake &&
          !guide.isOver && (
            <Button
              variant="ghost"
              pending={isPending}
              onClick={() => void dismiss({ ...project, isDismissed: !guide.isDismissed })}
            >
              {guide.isDismissed ? "Show on Home" : "Dismiss"}
            </Button>
          )
        }
      />
      {!mayTake && (
        <p className="pb-4 text-ink-2">You can see how far it has got; Editors and Admins take the steps.</p>
      )}
      {guide.isDismissed && !guide.isOver && (
        <p role="status" className="pb-4 text-ink-2">
          The checklist is not shown on Home any more. You can still take its steps here.
        </p>
      )}
      {next === null && <Finished guide={guide} />}
      <ol className="border-t">
        {guide.steps.map(({ step, state }, index) => {
          const Body = bodies[step];
          return (
            <Step
              key={step}
              {...{ step, state, number: index + 1, guide }}
              isOpen={step === opened}
              onToggle={() => open(step === opened ? null : step)}
            >
              <p className="max-w-prose pb-4 text-ink-2">{stepTitles[step].why}</p>
              {mayTake && (
                <Suspense fallback={<SkeletonRows rows={3} columns={2} />}>
                  <Body {...props} />
                </Suspense>
              )}
              {mayTake && state === "Done" && next !== null && (
                <div className="pt-4">
                  <Button variant="primary" onClick={() => moveOn(guide)}>
                    Continue
                  </Button>
                </div>
              )}
              {mayTake && state !== "Done" && (
                <div className="pt-4">
                  <Button
                    size="sm"
                    variant="ghost"
                    pending={isPending}
                    onClick={async () => {
                      const latest = await skip({ ...project, step, isSkipped: state !== "Skipped" });
                      if (state === "Skipped") open(step);
                      else moveOn(latest);
                    }}
                  >
                    {state === "Skipped" ? "Put it back on the list" : "Skip this step"}
                  </Button>
                </div>
              )}
            </Step>
          );
        })}
      </ol>
    </>
  );
}

function Step({
  step,
  state,
  number,
  guide,
  isOpen,
  onToggle,
  children,
}: {
  step: GuideStep;
  state: Guide["steps"][number]["state"];
  number: number;
  guide: Guide;
  isOpen: boolean;
  onToggle: () => void;
  children: React.ReactNode;
}) {
  const id = useId();
  const { kind, word } = stateLooks[state];
  const result = resultWords(step, guide);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-b">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          {...(isOpen && { "aria-controls": id })}
          onClick={onToggle}
          className="flex min-h-12 w-full flex-wrap items-center gap-x-3 gap-y-0.5 rounded-sm py-2 text-left hover:bg-hover"
        >
          <Chevron aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className={cn("min-w-0 text-base", isOpen ? "font-semibold" : "font-medium")}>
            <span className="text-ink-3 tabular-nums">{number}.</span> {stepTitles[step].title}
          </span>
          <Status kind={kind} className="ml-auto text-sm font-normal">
            {word}
          </Status>
          {result && <span className="w-full truncate pl-7 text-xs font-normal text-ink-3">{result}</span>}
        </button>
      </h2>
      {isOpen && (
        <section id={id} aria-label={stepTitles[step].title} className="pt-2 pb-6 sm:pl-7">
          {children}
        </section>
      )}
    </li>
  );
}

/** Nothing is open: what comes after the first score. */
function Finished({ guide: { contract } }: { guide: Guide }) {
  const { href } = useProject();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3 rounded-md border px-4 py-3">
      <Status kind="ok" className="whitespace-normal">
        Every step is done or skipped
      </Status>
      <span className="flex flex-wrap gap-2 sm:ml-auto">
        {contract && (
          <ButtonLink href={href(`/data-quality/contracts/${contract.id}`)} size="sm">
            Open the contract
          </ButtonLink>
        )}
        <ButtonLink href={href("/subscriptions/new")} size="sm">
          Watch the result of a query
        </ButtonLink>
        <ButtonLink href={href("/home")} size="sm" variant="primary">
          Home
        </ButtonLink>
      </span>
    </div>
  );
}
