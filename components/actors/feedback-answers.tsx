import { StatusIcon } from "@/components/ui/status.tsx";
import type { FeedbackAnswer } from "@/server/actors/feedback.ts";

/** What became of each part of what a person asked for. Nothing if nothing was asked. */
export function FeedbackAnswers({ answers }: { answers: readonly FeedbackAnswer[] }) {
  if (answers.length === 0) return null;
  const done = answers.filter(({ isDone }) => isDone).length;
  return (
    <section aria-label="What was asked" className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-semibold">
        What was asked{" "}
        <span className="font-normal text-ink-3 tabular-nums">
          {done} of {answers.length} done
        </span>
      </h3>
      <ul className="flex max-w-prose flex-col gap-1.5">
        {answers.map(({ asked, isDone, because }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: answers are identified only by position
          <li key={place} className="flex items-start gap-2">
            <StatusIcon kind={isDone ? "ok" : "warning"} className="mt-0.5" />
            <span className="min-w-0 break-words">
              {asked}
              <span className="block text-ink-2">{isDone ? "Done." : `Not done, because ${because}.`}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
