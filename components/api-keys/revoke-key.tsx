"use client";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Code } from "../ui/code.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Moment } from "../ui/moment.tsx";
import { toast } from "../ui/toaster.tsx";
import type { ApiKey } from "./use-api-keys.ts";

/** Asks before a key is taken out of use, and says what stops with it. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const me = useMe();
  const utils = trpc.useUtils();
  const revoke = trpc.apiKeys.revoke.useMutation();
  const isOwn = apiKey.user.id === me.user.id;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      confirm="Revoke key"
      explain={messageOf}
      onConfirm={async () => {
        await revoke.mutateAsync({ id: apiKey.id });
        await utils.apiKeys.invalidate();
        toast.success(`Revoked “${apiKey.name}”`);
      }}
    >
      <p>
        {apiKey.isExpired ? (
          <>
            <Code>{apiKey.prefix}…</Code> has expired, so nothing that works stops.
          </>
        ) : (
          <>
            Whatever sends <Code>{apiKey.prefix}…</Code> is refused from its next request on.
          </>
        )}
        {!isOwn && ` It is a key of ${apiKey.user.name}.`}{" "}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Moment at={apiKey.lastUsedAt} />.
          </>
        ) : (
          "It has never been used."
        )}
      </p>
      <p>This cannot be undone. The key stays in the list.</p>
    </ConfirmDialog>
  );
}
