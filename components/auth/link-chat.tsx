"use client";
import { useState } from "react";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";
import { MessageSquare } from "../ui/icons.tsx";
import { Name } from "../ui/name.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Status } from "../ui/status.tsx";
import { useMe } from "./use-me.ts";

/** Links the chat account that a link is for to whoever is signed in. `account` is null for a link that is not valid. */
export function LinkChat({
  token,
  account,
}: {
  token: string;
  account: Outputs["session"]["chatLink"] | null;
}) {
  const { user } = useMe();
  const link = trpc.session.linkChat.useMutation();
  const utils = trpc.useUtils();
  const [failure, setFailure] = useState<string | null>(null);
  const isLinked = link.isSuccess || account?.linkedTo === "You";
  const press = async () => {
    setFailure(null);
    try {
      await link.mutateAsync({ token });
      await utils.session.chatAccounts.invalidate();
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <>
      <PageHeader title={account ? `Link your ${account.service} account` : "This link is not valid"} />
      <div className="flex max-w-prose flex-col gap-4 border-t pt-4">
        {account ? (
          <>
            <p className="break-words">
              <Name>{account.name}</Name> in {account.service}, workspace {account.teamId}
            </p>
            <div role="status" className="flex flex-col gap-4 text-ink-2">
              {isLinked ? (
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Status kind="ok">Linked</Status>
                  <span>Press the button in {account.service} again: it now acts as you.</span>
                </div>
              ) : (
                <>
                  <p>
                    Whoever uses this {account.service} account can then approve, acknowledge, and assign as{" "}
                    {user.name}, wherever Plumbline posts messages with buttons.
                    {account.linkedTo === "SomeoneElse" &&
                      " It is linked to another user now, and would be no longer."}
                  </p>
                  <p>
                    Continue only if this is your account, and you pressed a button there yourself a moment
                    ago. Never use a link that someone sent you.
                  </p>
                </>
              )}
            </div>
          </>
        ) : (
          <p className="text-ink-2">
            It works once, for ten minutes. Press the button in the chat again to get another one.
          </p>
        )}
        <FormError>{failure}</FormError>
        <div className="flex flex-wrap gap-2">
          {account && !isLinked && (
            <Button
              variant="primary"
              icon={MessageSquare}
              pending={link.isPending}
              onClick={() => void press()}
            >
              Link account
            </Button>
          )}
          <ButtonLink href="/profile">Open your profile</ButtonLink>
        </div>
      </div>
    </>
  );
}
