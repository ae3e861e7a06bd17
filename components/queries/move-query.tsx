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

/** Moves a query to another folder. */
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
      // Sends the whole query with its version, so that changes since it was listed are not overwritten.
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
      // The dialog shows the error.
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
