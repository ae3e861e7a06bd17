"use client";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { MessageSquare } from "../ui/icons.tsx";
import { Moment } from "../ui/moment.tsx";
import { toast } from "../ui/toaster.tsx";

type Account = Outputs["session"]["chatAccounts"]["items"][number];

/** The accounts at chat services that act as the user. */
export function ChatAccountsSection() {
  const utils = trpc.useUtils();
  const [{ items }] = trpc.session.chatAccounts.useSuspenseQuery();
  const unlink = trpc.session.unlinkChat.useMutation();
  const end = ({ id, name, service }: Account) =>
    unlink.mutate(
      { id },
      {
        onSuccess: () => toast.success(`Unlinked ${name} in ${service}`),
        onError: (error) =>
          void toast.error("The account could not be unlinked", { description: messageOf(error) }),
        onSettled: () => utils.session.chatAccounts.invalidate(),
      },
    );
  return (
    <section aria-labelledby="profile-chat" className="max-w-3xl border-t pt-4 pb-8">
      <h2 id="profile-chat" className="text-base font-semibold tracking-tight">
        Chat accounts
      </h2>
      <p className="pt-1 pb-3 text-ink-2">
        {items.length === 0
          ? "None is linked. Press a button in a chat message from Plumbline to get a link that links your account there."
          : "Buttons that these accounts press in chat messages act as you, with your role and in your projects."}
      </p>
      {items.length > 0 && (
        <ul aria-label="Chat accounts" className="divide-y border-y">
          {items.map((account) => (
            <li key={account.id} className="flex items-center gap-3 py-2">
              <MessageSquare aria-hidden className="size-4 shrink-0 text-ink-3" />
              <div className="min-w-0 flex-1">
                <p className="font-medium break-words">{account.name}</p>
                <p className="text-xs break-words text-ink-3">
                  {account.service}, workspace {account.teamId} · linked <Moment at={account.createdAt} /> ·{" "}
                  {account.lastUsedAt ? (
                    <>
                      last used <Moment at={account.lastUsedAt} />
                    </>
                  ) : (
                    "not used yet"
                  )}
                </p>
              </div>
              <Button
                size="sm"
                pending={unlink.isPending && unlink.variables.id === account.id}
                aria-label={`Unlink ${account.name} in ${account.service}`}
                onClick={() => end(account)}
              >
                Unlink
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
