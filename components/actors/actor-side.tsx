"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { ActorDetail } from "@/server/actors/schema.ts";
import { wishesInWords } from "@/server/actors/wish-words.ts";

/** The actor's instructions and limits. */
export function ActorSide({ actor }: { actor: ActorDetail }) {
  const { instructions, additionalContext, defaultRecipientIds, projectId } = actor;
  const told = trpc.recipients.list.useQuery({ projectId }, { enabled: defaultRecipientIds.length > 0 });
  const names = told.data?.items.filter(({ id }) => defaultRecipientIds.includes(id)).map(({ name }) => name);
  return (
    <section aria-label="Task" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Task</h2>
      <div className="flex flex-col gap-3 border-t pt-3">
        <LongText text={instructions} />
        {additionalContext && (
          <div>
            <h3 className="text-xs text-ink-3">Additional context</h3>
            <LongText text={additionalContext} />
          </div>
        )}
        {actor.wishes && (
          <div>
            <h3 className="text-xs text-ink-3">What it checks</h3>
            <LongText text={wishesInWords(actor.wishes)} />
          </div>
        )}
        <p className="text-xs text-ink-3">
          {actor.requiresApproval
            ? "Its plans need approval."
            : "It acts without approval, within its limits."}{" "}
          At most {plural(actor.maxQueries, "query", "queries")} with{" "}
          {plural(actor.maxSubscriptionsPerQuery, "subscription")} each.{" "}
          {defaultRecipientIds.length === 0
            ? "What it creates notifies nobody."
            : `Tells ${names ? names.join(", ") : plural(defaultRecipientIds.length, "recipient")}.`}{" "}
          Made <Moment at={actor.createdAt} /> by <Name>{actor.createdBy.name}</Name>.
        </p>
      </div>
    </section>
  );
}

const longFrom = 400;

function LongText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > longFrom || text.split("\n").length > 8;
  return (
    <>
      <p className={cn("break-words whitespace-pre-wrap", isLong && !isWhole && "line-clamp-6")}>{text}</p>
      {isLong && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? "Show less" : "Show all"}
        </Button>
      )}
    </>
  );
}
