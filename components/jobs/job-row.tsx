"use client";
import type { ComponentProps } from "react";
import { CircleSlash, RotateCw } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Button } from "../ui/button.tsx";
import { formatDuration, plural } from "../ui/format.ts";
import { Moment, useNow } from "../ui/moment.tsx";
import { Status } from "../ui/status.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { jobState } from "./job-state.ts";
import { subjectLink } from "./subject-link.ts";
import type { ListedJob } from "./use-jobs.ts";
import { jobWords } from "./words.ts";

type Acts = {
  job: ListedJob;
  retry: () => void;
  cancel: () => void;
  isRetrying: boolean;
};

/** One job: its state and why, what it does, and to what. */
export function JobRow({ job, retry, cancel, isRetrying, ...row }: Acts & ComponentProps<typeof Tr>) {
  const { name, attempts, createdAt, startedAt, finishedAt } = job;
  const state = jobState(job);
  const acts = { job, retry, cancel, isRetrying };
  const took = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null;
  return (
    <Tr {...row}>
      <Td className="hidden py-1.5 align-top sm:table-cell">
        <Status kind={state.kind}>{state.word}</Status>
      </Td>
      <Td className="w-full max-w-0 py-1.5 align-top">
        <span className="flex items-baseline gap-2 sm:hidden">
          <Status kind={state.kind} className="text-xs">
            {state.word}
          </Status>
          <Moment at={createdAt} className="ml-auto shrink-0 text-xs text-ink-3" />
        </span>
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="truncate font-medium" title={name}>
            {jobWords(name)}
          </span>
          <Subject job={job} />
        </span>
        <Reason job={job} />
        <span className="flex items-center gap-2 text-xs text-ink-3 empty:hidden sm:hidden">
          {attempts > 1 && <span className="shrink-0">{plural(attempts, "attempt")}</span>}
          <Actions {...acts} className="ml-auto" />
        </span>
      </Td>
      <Td numeric className="hidden py-1.5 align-top text-ink-2 md:table-cell">
        {attempts}
      </Td>
      <Td className="hidden py-1.5 align-top whitespace-nowrap text-ink-2 sm:table-cell">
        <Moment at={createdAt} />
      </Td>
      <Td numeric className="hidden py-1.5 align-top text-ink-2 lg:table-cell">
        {took === null ? "–" : formatDuration(Math.max(took, 0))}
      </Td>
      <Td className="hidden py-1.5 text-right align-top whitespace-nowrap sm:table-cell">
        {/* No taller than a line, to keep row heights equal. */}
        <Actions {...acts} className="-my-1" />
      </Td>
    </Tr>
  );
}

function Subject({ job: { subject } }: { job: ListedJob }) {
  if (subject === null) return null;
  const { text, href } = subjectLink(subject);
  return (
    <Link href={href} className="shrink-0 text-accent underline-offset-2 hover:underline">
      {text}
    </Link>
  );
}

/** Why it failed, and when it is retried. */
function Reason({ job: { status, error, attempts, nextAttemptAt } }: { job: ListedJob }) {
  const now = useNow();
  const isTriedAgain =
    status === "Waiting" && attempts > 0 && nextAttemptAt !== null && now !== null
      ? Date.parse(nextAttemptAt) > now
      : false;
  if ((error === null || status === "Completed") && !isTriedAgain) return null;
  return (
    <span className="block text-xs break-words text-ink-2">
      {error}
      {isTriedAgain && nextAttemptAt !== null && (
        <span className="text-ink-3">
          {error !== null && " · "}
          next attempt <Moment at={nextAttemptAt} />
        </span>
      )}
    </span>
  );
}

function Actions({ job, retry, cancel, isRetrying, className }: Acts & { className: string }) {
  const { status, name, attempts, subject } = job;
  const of = `“${jobWords(name)}”${subject ? ` of ${subjectLink(subject).text}` : ""}`;
  const isOpen = status === "Waiting" || status === "Running";
  const canRetry = status === "Failed" || status === "Cancelled" || (status === "Waiting" && attempts > 0);
  if (!isOpen && !canRetry) return null;
  return (
    <span className={`inline-flex gap-1 ${className}`}>
      {canRetry && (
        <Button size="sm" icon={RotateCw} pending={isRetrying} aria-label={`Retry ${of}`} onClick={retry}>
          {isOpen ? "Retry now" : "Retry"}
        </Button>
      )}
      {isOpen && (
        <Button size="sm" variant="ghost" icon={CircleSlash} aria-label={`Cancel ${of}`} onClick={cancel}>
          Cancel
        </Button>
      )}
    </span>
  );
}
