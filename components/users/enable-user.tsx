"use client";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { plural } from "../ui/format.ts";
import { EnableAccount } from "./enable-account.tsx";
import type { User } from "./use-users.ts";
import { KeyNames, useWorkingKeys } from "./working-keys.tsx";

/** Disables or enables a user, after saying what stops or resumes. */
export function EnableUser({ user, onClose }: { user: User; onClose: () => void }) {
  const utils = trpc.useUtils();
  const update = trpc.users.update.useMutation();
  return (
    <EnableAccount
      thing="user"
      account={user}
      load={() => utils.users.list.fetch(undefined, { staleTime: 0 })}
      save={async (write) => {
        await update.mutateAsync(write);
        await utils.users.invalidate();
      }}
      onClose={onClose}
    >
      {user.enabled ? <WhatStops user={user} /> : <WhatWorksAgain user={user} />}
    </EnableAccount>
  );
}

function WhatStops({ user }: { user: User }) {
  const me = useMe();
  const keys = useWorkingKeys(user);
  const isOwn = user.id === me.user.id;
  return (
    <>
      <p>
        {isOwn
          ? "This is your own account: your sessions end, and another Admin has to enable you again."
          : "Their sessions end immediately, and they cannot sign in until someone enables them."}
      </p>
      {keys?.length === 0 ? (
        <p>No API key stops with {isOwn ? "you" : "them"}.</p>
      ) : keys ? (
        <p>
          {plural(keys.length, "API key stops", "API keys stop")} working as well: <KeyNames keys={keys} />.
        </p>
      ) : (
        <p>Their API keys stop working as well.</p>
      )}
      <p>What {isOwn ? "you" : "they"} have made stays.</p>
    </>
  );
}

function WhatWorksAgain({ user }: { user: User }) {
  const keys = useWorkingKeys(user);
  return (
    <>
      <p>
        They can sign in again{user.projectRoles === null ? `, as ${user.role}` : ""}. Sessions from before
        stay ended.
      </p>
      {keys && keys.length > 0 && (
        <p>
          {plural(keys.length, "API key works", "API keys work")} again: <KeyNames keys={keys} />.
        </p>
      )}
    </>
  );
}
