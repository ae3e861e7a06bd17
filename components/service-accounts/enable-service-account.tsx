"use client";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { plural } from "../ui/format.ts";
import { toast } from "../ui/toaster.tsx";
import { accessValues, accessWrite } from "../users/access-values.ts";
import { KeyNames, useWorkingKeys } from "../users/working-keys.tsx";
import type { ServiceAccount } from "./use-service-accounts.ts";

/** Disables or enables a service account, after saying which keys stop or resume. */
export function EnableServiceAccount({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const utils = trpc.useUtils();
  const update = trpc.serviceAccounts.update.useMutation();
  const keys = useWorkingKeys(account);
  const { id, name, enabled } = account;
  /** Someone may have changed the name or the access since the list was loaded. */
  const latest = async () => {
    const { items } = await utils.serviceAccounts.list.fetch(undefined, { staleTime: 0 });
    const now = items.find((each) => each.id === id) ?? account;
    return { id, name: now.name, baseRevision: now.revision, ...accessWrite(accessValues(now)) };
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={enabled ? `Disable “${name}”?` : `Enable “${name}”?`}
      confirm={enabled ? "Disable service account" : "Enable service account"}
      variant={enabled ? "danger" : "primary"}
      explain={messageOf}
      onConfirm={async () => {
        await update.mutateAsync({ ...(await latest()), enabled: !enabled });
        await utils.serviceAccounts.invalidate();
        toast.success(`${enabled ? "Disabled" : "Enabled"} “${name}”`);
      }}
    >
      {keys === null ? (
        <p>{enabled ? "Its API keys stop working." : "Its API keys work again."}</p>
      ) : keys.length === 0 ? (
        <p>It has no active API key.</p>
      ) : (
        <p>
          {enabled
            ? plural(keys.length, "API key stops working", "API keys stop working")
            : plural(keys.length, "API key works again", "API keys work again")}
          : <KeyNames keys={keys} />.
        </p>
      )}
      {enabled && <p>They work again once you enable it. What it has made stays.</p>}
    </ConfirmDialog>
  );
}
