"use client";
import { trpc } from "../trpc/client.tsx";
import { plural } from "../ui/format.ts";
import { EnableAccount } from "../users/enable-account.tsx";
import { KeyNames, useWorkingKeys } from "../users/working-keys.tsx";
import type { ServiceAccount } from "./use-service-accounts.ts";

/** Disables or enables a service account, after saying which keys stop or resume. */
export function EnableServiceAccount({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const utils = trpc.useUtils();
  const update = trpc.serviceAccounts.update.useMutation();
  const keys = useWorkingKeys(account);
  const { enabled } = account;
  return (
    <EnableAccount
      thing="service account"
      account={account}
      load={() => utils.serviceAccounts.list.fetch(undefined, { staleTime: 0 })}
      save={async (write) => {
        await update.mutateAsync(write);
        await utils.serviceAccounts.invalidate();
      }}
      onClose={onClose}
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
    </EnableAccount>
  );
}
