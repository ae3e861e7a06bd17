"use client";
import { EditedMeanwhile } from "@/components/edits/edited-meanwhile.tsx";
import type { EditBase } from "@/components/edits/use-edit-base.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { actorDifferenceWords } from "./actor-difference-words.ts";
import type { ActorForm } from "./actor-form.ts";
import { mergeActors } from "./merge-actor.ts";

/** Shows changes others saved while an actor is being edited, and merges them. */
export function MeanwhileActor({
  id,
  edit,
  onSave,
}: {
  id: number;
  edit: EditBase<ActorForm>;
  onSave: () => void;
}) {
  const edits = trpc.actors.edits.useQuery(
    { id, since: edit.base?.revision },
    { enabled: edit.isBehind, refetchInterval: 20_000 },
  );
  return (
    <EditedMeanwhile
      thing="actor"
      edit={edit}
      edits={edits.data?.items ?? []}
      merge={mergeActors}
      wordsOf={actorDifferenceWords}
      onSave={onSave}
    />
  );
}
