"use client";
import { useQueryStates } from "nuqs";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Field } from "@/components/ui/field.tsx";
import { SendHorizontal } from "@/components/ui/icons.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { ActorDetail } from "@/server/actors/schema.ts";
import { wishesInWords } from "@/server/actors/wish-words.ts";
import { wishesSchema } from "@/server/actors/wishes.ts";
import { actorParameters } from "./actor-pages.ts";
import { ActorIcon } from "./looks.tsx";
import { RequestFields } from "./request-fields.tsx";
import { emptyWishes, wishesInputOf } from "./wishes-form.ts";

/** Messages between people and the actor, with a field to write one. */
export function Conversation({ actor }: { actor: ActorDetail }) {
  const { conversation } = actor;
  const [, show] = useQueryStates(actorParameters);
  const end = useRef<HTMLDivElement>(null);
  const last = conversation.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to the latest message when one arrives
  useEffect(() => {
    const place = end.current;
    if (place) place.scrollTop = place.scrollHeight;
  }, [last]);
  return (
    <section aria-label="Conversation" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Conversation</h2>
      {conversation.length === 0 ? (
        <p className="border-t pt-3 text-ink-2">
          No messages yet. The actor considers what you write here in every later think cycle.
        </p>
      ) : (
        <div
          ref={end}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
          tabIndex={0}
          role="log"
          aria-label="Messages"
          className="row-focus flex max-h-[32rem] flex-col gap-3 overflow-y-auto border-t py-3"
        >
          {conversation.map((message) => (
            <Message key={message.id} message={message} onShow={(execution) => void show({ execution })} />
          ))}
        </div>
      )}
      <Tell actor={actor} />
    </section>
  );
}

function Message({
  message,
  onShow,
}: {
  message: ActorDetail["conversation"][number];
  onShow: (executionId: number | null) => void;
}) {
  const { user } = useMe();
  const isPerson = message.role === "Person";
  const who = isPerson ? (message.user?.id === user.id ? "You" : (message.user?.name ?? "Someone")) : "Actor";
  return (
    <article
      aria-label={`${who} said`}
      className={cn("flex flex-col gap-0.5", isPerson ? "ml-6 items-end" : "mr-6 items-start")}
    >
      <p
        className={cn(
          "max-w-full rounded-lg px-3 py-1.5 break-words whitespace-pre-wrap",
          isPerson ? "bg-accent-soft" : "bg-sunken",
        )}
      >
        {message.text}
      </p>
      <p className="flex items-center gap-1.5 px-1 text-xs text-ink-3">
        {!isPerson && <ActorIcon aria-hidden className="size-3.5" />}
        {who}, <Moment at={message.createdAt} />
        {message.executionId !== null && (
          <button type="button" onClick={() => onShow(message.executionId)} className="rounded-sm underline">
            {isPerson ? "result" : "details"}
          </button>
        )}
      </p>
    </article>
  );
}

function Tell({ actor }: { actor: ActorDetail }) {
  const mayRun = useMay("actors:run");
  const utils = trpc.useUtils();
  const [model] = trpc.actors.model.useSuspenseQuery();
  const [feedback, setFeedback] = useState("");
  const [wishes, setWishes] = useState(emptyWishes);
  const input = wishesInputOf(wishes);
  const read = wishesSchema.safeParse(input);
  const refine = trpc.actors.refine.useMutation();
  const isActive = actor.status === "Active";
  const saysAnything = feedback.trim() !== "" || Boolean(read.data);
  const isReady = saysAnything && read.success && isActive && !actor.budgetExhausted && !refine.isPending;
  if (!mayRun) return null;
  const send = async () => {
    if (!isReady) return;
    try {
      // Without a message, the conversation lists the selected wishes.
      const text = feedback.trim() === "" ? wishesInWords(read.data ?? null) : feedback;
      await refine.mutateAsync({ id: actor.id, feedback: text, wishes: input });
      setFeedback("");
      setWishes(emptyWishes);
    } catch {
      // The error is shown below the field; what was typed stays.
    } finally {
      await utils.actors.invalidate();
    }
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  return (
    <form onSubmit={submit} onKeyDown={keys} className="flex flex-col gap-2">
      <Field
        label="Tell it what to change"
        error={refine.error ? messageOf(refine.error) : undefined}
        hint={
          !isActive
            ? "Only an active actor takes messages: resume it first."
            : actor.budgetExhausted
              ? "Stopped by its budget."
              : model.isBuiltIn
                ? "Kept as a note: without a language model, only the fields below are followed."
                : "It starts thinking right away and proposes a plan. Your words fill in the fields you leave empty."
        }
      >
        <Textarea
          rows={2}
          maxLength={20_000}
          className="max-h-48"
          placeholder={
            model.isBuiltIn
              ? "Why, for whoever reads it later"
              : "Only the orders, every hour, without the archive"
          }
          value={feedback}
          onChange={(event) => {
            setFeedback(event.target.value);
            if (refine.error) refine.reset();
          }}
        />
      </Field>
      <RequestFields
        summary={wishesInWords(read.data ?? null)}
        isBuiltIn={model.isBuiltIn}
        dataSourceId={actor.dataSourceId}
        value={wishes}
        onChange={(next) => {
          setWishes(next);
          if (refine.error) refine.reset();
        }}
      />
      <Button
        type="submit"
        variant="primary"
        icon={SendHorizontal}
        className="self-end"
        pending={refine.isPending}
        disabled={!isReady && !refine.isPending}
        aria-keyshortcuts="Control+Enter"
      >
        Send
        <Kbd>Ctrl ↵</Kbd>
      </Button>
    </form>
  );
}
