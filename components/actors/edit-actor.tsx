"use client";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ActorEditor } from "./actor-editor.tsx";
import { actorFormOf } from "./actor-form.ts";

/** The editor of an actor that is there. */
export function EditActor({ id }: { id: number }) {
  useClearView();
  // What is being edited does not change under the hands of who edits it.
  const [actor] = trpc.actors.get.useSuspenseQuery({ id }, { staleTime: Infinity });
  return (
    <FormPage
      title={`Edit ${actor.name}`}
      parent={{ href: `/ai-actors/${id}`, label: actor.name }}
      permission="actors:configure"
    >
      {/* The cache may first give an older state; the form begins anew with the one that the server has. */}
      <ActorEditor key={JSON.stringify(actorFormOf(actor))} actor={actor} sources={[]} />
    </FormPage>
  );
}
