"use client";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Name } from "@/components/ui/name.tsx";
import { ActorEditor } from "./actor-editor.tsx";
import { actorFormOf } from "./actor-form.ts";

/** The editor of an existing actor. */
export function EditActor({ id }: { id: number }) {
  useClearView();
  // The form must not change while someone is editing.
  const [actor] = trpc.actors.get.useSuspenseQuery({ id }, { staleTime: Infinity });
  return (
    <FormPage
      title={
        <>
          Edit <Name>{actor.name}</Name>
        </>
      }
      parent={{ href: `/ai-actors/${id}`, label: actor.name }}
      permission="actors:configure"
    >
      {/* The cache may hold an older version first; the form resets when the server's version arrives. */}
      <ActorEditor key={JSON.stringify(actorFormOf(actor))} actor={actor} sources={[]} />
    </FormPage>
  );
}
