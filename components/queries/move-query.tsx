"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Folder, Query } from "@/server/queries/schema.ts";
import { FolderField } from "./folder-field.tsx";
import { asWrites } from "./query-draft.ts";

/** Puts a query into another folder. */
export function MoveQuery({
  query,
  folders,
  onClose,
}: {
  query: Query;
  folders: readonly Folder[];
  onClose: () => void;
}) {
  const utils = trpc.useUtils();
  const update = trpc.queries.update.useMutation();
  const [folderId, setFolderId] = useState(query.folderId);
  const move = async () => {
    const { id, name, description, steps, activeVersion } = query;
    try {
      // All of it is sent, and the version with it: what changed since it was listed is not undone.
      const moved = await update.mutateAsync({
        id,
        name,
        description,
        folderId,
        steps: asWrites(steps),
        baseVersion: activeVersion,
      });
      utils.queries.get.setData({ id }, moved);
      await utils.queries.list.invalidate();
      toast.success(moved.folderPath ? `Moved to ${moved.folderPath}` : "Moved to the top");
      onClose();
    } catch {
      // The dialog says why.
      await utils.queries.list.invalidate();
    }
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Move “${query.name}”`} size="sm">
      <Field label="Folder">
        <FolderField
          value={folderId}
          folders={folders.filter(({ projectId }) => projectId === query.projectId)}
          onChange={setFolderId}
        />
      </Field>
      <FormError>{update.error && messageOf(update.error)}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant="primary"
          pending={update.isPending}
          disabled={folderId === query.folderId}
          onClick={() => void move()}
        >
          Move
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
