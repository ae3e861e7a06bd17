"use client";
import { useMemo } from "react";
import { useWatch } from "react-hook-form";
import { FormEditor } from "@/components/editors/form-editor.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import type { Actor } from "@/server/actors/schema.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { type ActorForm, actorFormOf, actorInputOf, emptyActor } from "./actor-form.ts";
import { EditorChecks } from "./editor-checks.tsx";
import { EditorLimits, EditorRecipients, EditorStart } from "./editor-limits.tsx";
import { EditorTask } from "./editor-task.tsx";
import { MeanwhileActor } from "./meanwhile-actor.tsx";
import { ModelNote } from "./model-note.tsx";

/** Its schema is loaded when the form is checked. */
const problemsOf = async (values: ActorForm) => (await import("./actor-problems.ts")).actorProblems(values);

/** Creates an actor, or edits an existing one. */
export function ActorEditor({
  actor,
  sources,
  start = {},
}: {
  actor?: Actor;
  sources: readonly DataSource[];
  /** Initial values of a new actor. */
  start?: Partial<ActorForm>;
}) {
  const utils = trpc.useUtils();
  const [model] = trpc.actors.model.useSuspenseQuery();
  const create = trpc.actors.create.useMutation();
  const update = trpc.actors.update.useMutation();
  const current = useMemo(
    () => (actor ? { revision: actor.revision, values: actorFormOf(actor) } : null),
    [actor],
  );
  return (
    <>
      <ModelNote model={model} />
      <FormEditor<ActorForm, Actor>
        kind="actor"
        id={actor?.id}
        start={actor ? actorFormOf(actor) : emptyActor(start)}
        problemsOf={problemsOf}
        revisions={{
          current,
          load: async () => {
            const newest = await utils.actors.get.fetch({ id: actor?.id ?? 0 }, { staleTime: 0 });
            return { revision: newest.revision, values: actorFormOf(newest) };
          },
        }}
        meanwhile={(edit, save) => actor && <MeanwhileActor id={actor.id} edit={edit} onSave={save} />}
        save={(values, baseRevision) => {
          const input = actorInputOf(values);
          return actor
            ? update.mutateAsync({ id: actor.id, baseRevision, ...input })
            : create.mutateAsync(input);
        }}
        saved={({ name }, { activateImmediately }) => {
          void utils.actors.invalidate();
          if (actor) return `Saved “${name}”`;
          return `Created “${name}”${activateImmediately ? "; it starts thinking now" : " as a draft"}`;
        }}
        hrefOf={({ id }) => `/ai-actors/${id}`}
        cancelHref={actor ? `/ai-actors/${actor.id}` : "/ai-actors"}
        submit={actor ? "Save actor" : "Create actor"}
        note={
          actor ? (
            "Changes apply from the next think cycle. Everything it has created stays as it is."
          ) : (
            <NewNote />
          )
        }
      >
        <EditorTask
          sources={sources}
          fixedSource={actor?.dataSourceName ?? null}
          isBuiltIn={model.isBuiltIn}
        />
        <EditorChecks isBuiltIn={model.isBuiltIn} />
        <EditorRecipients
          projectIdOf={(id) => actor?.projectId ?? sources.find((each) => each.id === id)?.projectId ?? null}
        />
        <EditorLimits model={model} />
        <EditorStart hasBegun={actor !== undefined && actor.status !== "Draft"} />
      </FormEditor>
    </>
  );
}

/** What happens on creation, depending on the checkboxes. */
function NewNote() {
  const [activates, requiresApproval] = useWatch<ActorForm, ["activateImmediately", "requiresApproval"]>({
    name: ["activateImmediately", "requiresApproval"],
  });
  if (!activates) return "It is saved as a draft and does nothing until you start it.";
  return requiresApproval
    ? "It starts right away, and its first plan waits for your decision."
    : "It starts right away and creates queries and subscriptions without asking.";
}
