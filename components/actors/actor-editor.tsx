"use client";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { type FieldErrors, FormProvider, type Resolver, set, useForm, useWatch } from "react-hook-form";
import { FormDraft } from "@/components/drafts/form-draft.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { EditorFooter } from "@/components/shell/editor-footer.tsx";
import { LeaveGuard } from "@/components/shell/leave-guard.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Actor } from "@/server/actors/schema.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { type ActorForm, actorFormOf, actorInputOf, actorProblems, emptyActor } from "./actor-form.ts";
import { EditorLimits, EditorRecipients, EditorStart } from "./editor-limits.tsx";
import { EditorTask } from "./editor-task.tsx";
import { ModelNote } from "./model-note.tsx";

/** Reads the form by the service's own schema, and says what is wrong at the path of each field. */
const readForm: Resolver<ActorForm> = (values) => {
  const errors: FieldErrors<ActorForm> = {};
  for (const { path, message } of actorProblems(values)) set(errors, path, { type: "invalid", message });
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
};

/** Makes an actor, or changes the one that is given. */
export function ActorEditor({
  actor,
  sources,
  start = {},
}: {
  actor?: Actor;
  sources: readonly DataSource[];
  /** What a new actor begins with. */
  start?: Partial<ActorForm>;
}) {
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const [model] = trpc.actors.model.useSuspenseQuery();
  const create = trpc.actors.create.useMutation();
  const update = trpc.actors.update.useMutation();
  const form = useForm<ActorForm>({
    defaultValues: actor ? actorFormOf(actor) : emptyActor(start),
    resolver: readForm,
    mode: "onSubmit",
    // Pickers are no inputs of their own: the first field that says something is wrong is focused by hand.
    shouldFocusError: false,
  });
  const element = useRef<HTMLFormElement>(null);
  const showProblem = () =>
    // After the messages are drawn.
    setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), 50);
  const hasBegun = actor !== undefined && actor.status !== "Draft";

  const submit = form.handleSubmit(async (values) => {
    const input = actorInputOf(values);
    try {
      const saved = actor
        ? await update.mutateAsync({ id: actor.id, ...input })
        : await create.mutateAsync(input);
      // What is saved is no longer a change that leaving would lose.
      form.reset(values);
      await utils.actors.invalidate();
      toast.success(
        actor
          ? `Saved “${saved.name}”`
          : input.activateImmediately
            ? `“${saved.name}” begins to think`
            : `“${saved.name}” is a draft`,
      );
      router.push(href(`/ai-actors/${saved.id}`));
    } catch (error) {
      applyFieldErrors(form, error);
      showProblem();
    }
  }, showProblem);

  return (
    <FormProvider {...form}>
      <ModelNote model={model} />
      <form ref={element} onSubmit={submit} noValidate>
        <FormDraft of="actor" id={actor?.id} />
        <EditorTask sources={sources} fixedSource={actor?.dataSourceName ?? null} />
        <EditorRecipients
          projectIdOf={(id) => actor?.projectId ?? sources.find((each) => each.id === id)?.projectId ?? null}
        />
        <EditorLimits model={model} />
        <EditorStart hasBegun={hasBegun} />
        <EditorFooter
          isNew={actor === undefined}
          cancelHref={href(actor ? `/ai-actors/${actor.id}` : "/ai-actors")}
          submit={actor ? "Save actor" : "Create actor"}
          note={actor ? "It counts from its next thought on. What it has made stays as it is." : <NewNote />}
        />
      </form>
      <LeaveGuard />
    </FormProvider>
  );
}

/** What creating it comes to, by what is ticked. */
function NewNote() {
  const [activates, requiresApproval] = useWatch<ActorForm, ["activateImmediately", "requiresApproval"]>({
    name: ["activateImmediately", "requiresApproval"],
  });
  if (!activates) return "It is stored as a draft, and does nothing until it is started.";
  return requiresApproval
    ? "It begins at once, and its first plan waits for your decision."
    : "It begins at once, and makes queries and subscriptions without asking.";
}
