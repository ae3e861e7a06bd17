"use client";
import { FormPage } from "@/components/shell/form-page.tsx";
import { UnlessManaged } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Name } from "@/components/ui/name.tsx";
import { ActorEditor } from "./actor-editor.tsx";

/** The editor of an existing actor. */
export function EditActor({ id }: { id: number }) {
  // The form must not change while someone is editing; a notice says if someone else has saved.
  const [actor] = trpc.actors.get.useSuspenseQuery({ id }, { refetchInterval: 20_000 });
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
      <UnlessManaged kind="Actor" id={id}>
        <ActorEditor actor={actor} sources={[]} />
      </UnlessManaged>
    </FormPage>
  );
}
