"use client";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Hourglass, Play } from "@/components/ui/icons.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { ToldState } from "@/server/subscriptions/schema.ts";
import { type FactLook, outcomeLooks, toldLooks } from "./outcome-looks.ts";

/**
 * The legend of what runs are said to be, one for all pages: whether it ran, what it found, and who was told are three
 * facts, and one says nothing about the others.
 */
const facts: { title: string; looks: readonly (FactLook & { word: string })[] }[] = [
  {
    title: "The run",
    looks: [
      { kind: "neutral", icon: Play, word: "Ran", hint: "It had a result, whatever it found." },
      outcomeLooks.failed,
      outcomeLooks.timedOut,
      outcomeLooks.running,
      { kind: "neutral", icon: Hourglass, word: "Not run yet", hint: "Nothing is known." },
    ],
  },
  {
    title: "What it found",
    looks: [
      { ...outcomeLooks.nothing, word: "Nothing found" },
      { ...outcomeLooks.found, word: "22 rows", hint: "The condition was met." },
      outcomeLooks.unusual,
      outcomeLooks.below,
      outcomeLooks.report,
    ],
  },
  {
    title: "Who was told",
    looks: (
      [
        ["Told", "Told 2 of 2"],
        ["NobodyToTell", "Nobody to tell"],
        ["Silenced", "Silenced until 14:00"],
        ["DeliveryFailed", "Delivery failed"],
      ] satisfies [ToldState, string][]
    ).map(([state, word]) => ({ ...toldLooks[state], word })),
  },
];

export function OutcomeWords({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="What the words mean"
      description="Three facts about each run. Health counts successful runs, so a healthy subscription can have found rows."
    >
      <div className="flex flex-col gap-4">
        {facts.map(({ title, looks }) => (
          <section key={title} className="flex flex-col gap-1">
            <h3 className="text-xs font-semibold text-ink-3">{title}</h3>
            <dl className="divide-y border-y text-sm">
              {looks.map(({ kind, icon, word, hint }) => (
                <div
                  key={word}
                  className="grid gap-x-3 py-1 sm:grid-cols-[12rem_minmax(0,1fr)] sm:items-baseline"
                >
                  <dt className="flex items-center gap-1.5">
                    <StatusIcon kind={kind} {...(icon && { icon })} className="animate-none" />
                    {word}
                  </dt>
                  <dd className="text-ink-2">{hint}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
