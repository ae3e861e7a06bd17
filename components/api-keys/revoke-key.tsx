"use client";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Code } from "../ui/code.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { plural } from "../ui/format.ts";
import { Moment } from "../ui/moment.tsx";
import { toast } from "../ui/toaster.tsx";
import type { ApiKey } from "./use-api-keys.ts";
import { useRefreshKeys } from "./use-refresh-keys.ts";

/** Confirms revoking a key, and says what else stops working. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const me = useMe();
  const refreshKeys = useRefreshKeys();
  const revoke = trpc.apiKeys.revoke.useMutation();
  const made = apiKey.activeBelow;
  const isOwn = apiKey.user.id === me.user.id;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      confirm={made.length > 0 ? `Revoke ${made.length + 1} keys` : "Revoke key"}
      explain={messageOf}
      onConfirm={async () => {
        const { revokedWithIt } = await revoke.mutateAsync({ id: apiKey.id });
        await refreshKeys();
        const others = revokedWithIt.length;
        toast.success(
          `Revoked “${apiKey.name}”${others > 0 ? ` and ${plural(others, "key")} made with it` : ""}`,
        );
      }}
    >
      <p>
        {apiKey.isExpired ? (
          <>
            <Code>{apiKey.prefix}…</Code> has already expired, so nothing stops working.
          </>
        ) : (
          <>
            Requests that use <Code>{apiKey.prefix}…</Code> are refused from now on.
          </>
        )}
        {!isOwn && ` It is a key of ${apiKey.user.name}.`}{" "}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Moment at={apiKey.lastUsedAt} />.
          </>
        ) : (
          "It was never used."
        )}
      </p>
      {made.length > 0 && (
        <div>
          <p>
            <strong>{plural(made.length, "key")} made with it</strong> {made.length === 1 ? "is" : "are"}{" "}
            revoked, too:
          </p>
          <ul className="max-h-40 list-disc overflow-y-auto pt-1 pl-5">
            {made.map(({ id, name, prefix }) => (
              <li key={id} className="break-words">
                {name} <Code>{prefix}…</Code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>
        This cannot be undone. {made.length > 0 ? "The keys stay in the list." : "The key stays in the list."}
      </p>
    </ConfirmDialog>
  );
}
