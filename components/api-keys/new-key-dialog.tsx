"use client";
import { useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CreatedKey } from "./created-key.tsx";
import { NewKeyForm, type NewKeyValues } from "./new-key-form.tsx";

/**
 * Makes a key and shows it, this once. From then on the dialog is locked: whatever closes other dialogs would
 * lose the key here.
 */
export function NewKeyDialog({
  onClose,
  onStored,
  suggested,
}: {
  onClose: () => void;
  /** The key that was made, once whoever made it has stored it. */
  onStored?: (rawKey: string) => void;
  suggested?: Partial<NewKeyValues>;
}) {
  const utils = trpc.useUtils();
  const [made, setMade] = useState<{ name: string; rawKey: string } | null>(null);
  return (
    <Dialog
      open
      locked={made !== null}
      onOpenChange={(open) => !open && onClose()}
      size={made ? "lg" : "md"}
      title={made ? `Store the key “${made.name}” now` : "New API key"}
      description={
        made
          ? "It is shown this once and cannot be looked up later: only a fingerprint of it is kept."
          : "For a program that calls the service in your name."
      }
    >
      {made ? (
        <CreatedKey
          rawKey={made.rawKey}
          onStored={() => {
            onStored?.(made.rawKey);
            onClose();
          }}
        />
      ) : (
        <NewKeyForm
          suggested={suggested}
          onMade={(key) => {
            setMade(key);
            void utils.apiKeys.invalidate();
          }}
        />
      )}
    </Dialog>
  );
}
