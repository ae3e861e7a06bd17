"use client";
import { useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CreatedKey } from "./created-key.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

/**
 * Makes a key and shows it, this once. From then on the dialog is locked: whatever closes other dialogs would
 * lose the key here.
 */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
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
        <CreatedKey rawKey={made.rawKey} onStored={onClose} />
      ) : (
        <NewKeyForm
          onMade={(key) => {
            setMade(key);
            void utils.apiKeys.invalidate();
          }}
        />
      )}
    </Dialog>
  );
}
