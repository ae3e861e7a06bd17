"use client";
import { Button } from "@/components/ui/button.tsx";
import { CircleHelp, Hourglass, Play } from "@/components/ui/icons.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover.tsx";
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

export function OutcomeGuide() {
  return (
    <Popover>
      <PopoverTrigger>
        <Button variant="ghost" size="icon" icon={CircleHelp} aria-label="What the words mean" />
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label="What the words mean"
        className="w-[min(26rem,calc(100vw-1rem))]"
      >
        {facts.map(({ title, looks }) => (
          <section key={title} className="pb-2 last:pb-0">
            <h2 className="pb-1 text-xs font-semibold text-ink-3">{title}</h2>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
              {looks.map(({ kind, icon, word, hint }) => (
                <div key={word} className="contents">
                  <dt className="flex items-start gap-1.5 whitespace-nowrap">
                    <StatusIcon kind={kind} {...(icon && { icon })} className="size-3.5 animate-none" />
                    {word}
                  </dt>
                  <dd className="text-ink-2">{hint}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="border-t pt-2 text-xs text-ink-2">
          Health counts successful runs. A healthy subscription can have found rows.
        </p>
      </PopoverContent>
    </Popover>
  );
}
