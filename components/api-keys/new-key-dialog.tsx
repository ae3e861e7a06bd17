"use client";
import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { CreatedKey } from "./created-key.tsx";
import { NewKeyForm } from "./new-key-form.tsx";
import type { NewKeyValues } from "./new-key-values.ts";
import type { KeyOwner } from "./use-key-owners.ts";
import { useRefreshKeys } from "./use-refresh-keys.ts";

/**
 * Creates a key and shows it once. From then on the dialog is locked, since closing it by accident would lose the
 * key.
 */
export function NewKeyDialog({
  onClose,
  onStored,
  suggested,
  owner = null,
}: {
  onClose: () => void;
  /** Called with the new key after the user confirms that it is stored. */
  onStored?: (rawKey: string) => void;
  suggested?: Partial<NewKeyValues>;
  /** The service account that the key is for; otherwise, an Admin may choose. */
  owner?: KeyOwner | null;
}) {
  const refreshKeys = useRefreshKeys();
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
          ? "This key is shown only once. Only its fingerprint is stored."
          : owner
            ? `For a program that calls the service as “${owner.name}”.`
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
          owner={owner}
          onMade={(key) => {
            setMade(key);
            void refreshKeys();
          }}
        />
      )}
    </Dialog>
  );
}
