"use client";
import { useEffect, useId, useRef } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { cn } from "@/components/ui/class-names.ts";
import { formatCount, formatDuration, formatNumber, plural } from "@/components/ui/format.ts";
import { ChevronRight } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { ActorExecution } from "@/server/actors/schema.ts";
import { isOver } from "@/server/actors/states.ts";
import { ActionResult } from "./action-result.tsx";
import { actionTitle, kindWords } from "./action-words.ts";
import { FeedbackAnswers } from "./feedback-answers.tsx";
import { phaseIcon } from "./looks.tsx";
import { Markdown } from "./markdown.tsx";
import { exactCost, formatCost } from "./money.ts";
import { PhaseStepper } from "./phase-stepper.tsx";
import { occasionWords } from "./plan-words.ts";

/** One think cycle or plan run: a line that expands into its details. */
export function CourseEntry({
  execution,
  isOpen,
  onToggle,
}: {
  execution: ActorExecution;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const body = useId();
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // It may have been opened from the conversation.
    if (isOpen) entry.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  const { phase, decisionSummary, error, startedAt, completedAt, tokensUsed, estimatedCost, model } =
    execution;
  const failed = execution.actions.filter(({ status }) => status === "Failed").length;
  const icon = phaseIcon(phase);
  return (
    <li
      ref={entry}
      className="relative pb-3 pl-7 before:absolute before:top-6 before:bottom-0 before:left-[7px] before:border-l last:before:hidden"
    >
      <StatusIcon {...icon} className="absolute top-1 left-0 bg-canvas" />
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={body}
        onClick={onToggle}
        className="row-focus -mx-1 flex w-full items-start gap-1 rounded-sm px-1 py-0.5 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cn("mt-0.5 size-4 shrink-0 text-ink-3 transition-transform", isOpen && "rotate-90")}
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{occasionWords(execution)}</span>
            <span className="sr-only">, {phase}</span>
            <Moment at={startedAt} className="text-xs whitespace-nowrap text-ink-3" />
            <span className="ml-auto flex gap-x-3 text-xs text-ink-3 tabular-nums">
              {completedAt && <span>{formatDuration(Date.parse(completedAt) - Date.parse(startedAt))}</span>}
              {tokensUsed > 0 && (
                <span title={`${formatNumber(tokensUsed)} tokens`}>{formatCount(tokensUsed)} tokens</span>
              )}
              {model && <span title={exactCost(estimatedCost)}>{formatCost(estimatedCost)}</span>}
            </span>
          </span>
          <span
            className={cn(
              "block break-words",
              error ? "text-critical" : "text-ink-2",
              !isOpen && "line-clamp-2",
            )}
          >
            {error ?? decisionSummary ?? (isOver(phase) ? "Nothing was decided." : `${phase}…`)}
          </span>
          {failed > 0 && (
            <span className="block text-xs text-critical">
              {plural(failed, "action")} of {execution.actions.length} failed
            </span>
          )}
        </span>
      </button>
      <div id={body}>{isOpen && <EntryBody execution={execution} />}</div>
    </li>
  );
}

function EntryBody({ execution }: { execution: ActorExecution }) {
  const { href } = useProject();
  const { kind, planId, userInstruction, detailedAnalysis, keyFindings, actions, notificationIntent } =
    execution;
  const { decisionSummary, error, model } = execution;
  return (
    <div className="flex flex-col gap-4 pt-2 pb-4 pl-5">
      <PhaseStepper of={execution} />
      {userInstruction && (
        <blockquote className="border-l-2 pl-3 whitespace-pre-wrap">“{userInstruction}”</blockquote>
      )}
      {error && decisionSummary && <p className="text-ink-2">{decisionSummary}</p>}
      <FeedbackAnswers answers={execution.feedbackAnswers} />
      {keyFindings.length > 0 && <Findings findings={keyFindings} />}
      {detailedAnalysis && <Markdown>{detailedAnalysis}</Markdown>}
      {actions.length > 0 && (
        <ul className="flex flex-col border-t">
          {actions.map((action) => {
            const { icon: Icon, word } = kindWords[action.kind];
            return (
              <li key={action.index} className="flex flex-wrap items-center gap-x-3 border-b py-1">
                <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
                <span className="min-w-0">
                  <span className="text-ink-3">{word}</span> {actionTitle(action)}
                </span>
                <span className="ml-auto min-w-0">
                  <ActionResult action={action} isRunning={!isOver(execution.phase)} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {notificationIntent && (
        <p className="break-words">
          <span className="text-ink-3">Sent as important ({notificationIntent.severity}): </span>
          <span className="font-medium">{notificationIntent.subject}</span> {notificationIntent.body}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 text-xs text-ink-3">
        {planId !== null && (
          <Link href={href(`/ai-actors/plans/${planId}`)} className="text-accent underline">
            {kind === "PlanRun" ? "Open the executed plan" : "Open the proposed plan"}
          </Link>
        )}
        {model && <span>{model}</span>}
      </p>
    </div>
  );
}

export function Findings({ findings }: { findings: readonly string[] }) {
  return (
    <ul aria-label="Key findings" className="flex max-w-prose list-disc flex-col gap-1 pl-5">
      {findings.map((finding, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings are identified only by position
        <li key={place} className="break-words">
          {finding}
        </li>
      ))}
    </ul>
  );
}
