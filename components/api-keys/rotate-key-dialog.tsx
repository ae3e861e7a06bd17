"use client";
import { useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Moment } from "../ui/moment.tsx";
import { Select } from "../ui/select.tsx";
import { CreatedKey } from "./created-key.tsx";
import type { ApiKey } from "./use-api-keys.ts";
import { useRefreshKeys } from "./use-refresh-keys.ts";

/** For how many hours the old key still works. */
const overlaps = [
  { value: "0", label: "None" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

/** Replaces a key by a new one, shows it once, and says until when the old one works. */
export function RotateKeyDialog({
  apiKey: { id, name, prefix, activeBelow: made },
  onClose,
}: {
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const refreshKeys = useRefreshKeys();
  const rotate = trpc.apiKeys.rotate.useMutation();
  const [overlap, setOverlap] = useState("24");
  const rotated = rotate.data;
  return (
    <Dialog
      open
      locked={rotated !== undefined}
      onOpenChange={(open) => !open && onClose()}
      size={rotated ? "lg" : "md"}
      title={rotated ? `Store the new key “${name}” now` : `Rotate “${name}”?`}
      description={
        rotated ? (
          <>
            This key is shown only once. The old one expires <Moment at={rotated.replaces.expiresAt} />.
          </>
        ) : (
          "A new key with the same name, scopes, projects, and addresses takes its place."
        )
      }
    >
      {rotated ? (
        <CreatedKey rawKey={rotated.rawKey} onStored={onClose} />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            rotate.mutate({ id, overlapHours: Number(overlap) }, { onSettled: refreshKeys });
          }}
        >
          <Field
            label="Overlap"
            hint="How long the old key still works, so that you can give the program the new one"
          >
            <Select value={overlap} onValueChange={setOverlap} options={overlaps} />
          </Field>
          <p className="text-sm text-ink-2">
            After that, <Code>{prefix}…</Code> expires
            {made.length > 0 && `, and with it ${plural(made.length, "key")} made with it`}. The new key lives
            as long as the old one was to live from its creation.
          </p>
          <FormError>{rotate.error && messageOf(rotate.error)}</FormError>
          <DialogFooter>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" variant="primary" pending={rotate.isPending}>
              Rotate key
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
