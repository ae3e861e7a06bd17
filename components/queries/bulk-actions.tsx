"use client";
import { useState } from "react";
import type { Bulk } from "@/components/bulk/use-bulk.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Archive, FolderInput } from "@/components/ui/icons.tsx";
import type { Folder } from "@/server/queries/schema.ts";
import { FolderField } from "./folder-field.tsx";

/** What can be done to the selected queries. */
export function BulkActions({ bulk, folders }: { bulk: Bulk; folders: readonly Folder[] }) {
  const { client } = trpc.useUtils();
  const [asking, setAsking] = useState<"move" | "archive" | null>(null);
  const [folderId, setFolderId] = useState<number | null>(null);
  const ask = (what: "move" | "archive") => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
    explain: messageOf,
  });
  return (
    <>
      <Button icon={FolderInput} pending={bulk.isActing} onClick={() => setAsking("move")}>
        Move
      </Button>
      <Button icon={Archive} disabled={bulk.isActing} onClick={() => setAsking("archive")}>
        Archive
      </Button>
      <ConfirmDialog
        {...ask("move")}
        variant="primary"
        title={`Move ${bulk.words}`}
        confirm={`Move ${bulk.words}`}
        onConfirm={() => bulk.actOrThrow("Moved", (ids) => client.queries.moveMany.mutate({ ids, folderId }))}
      >
        <Field label="Folder" hint="Queries of another project stay where they are.">
          <FolderField value={folderId} folders={folders} onChange={setFolderId} />
        </Field>
      </ConfirmDialog>
      <ConfirmDialog
        {...ask("archive")}
        title={`Archive ${bulk.words}?`}
        confirm={`Archive ${bulk.words}`}
        onConfirm={() => bulk.actOrThrow("Archived", (ids) => client.queries.archiveMany.mutate({ ids }))}
      >
        <p>
          They disappear from every list; an Admin can restore them. Those that subscriptions run stay, and
          are named.
        </p>
      </ConfirmDialog>
    </>
  );
}
