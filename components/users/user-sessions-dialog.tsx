"use client";
import { SessionList } from "../auth/session-list.tsx";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { plural } from "../ui/format.ts";
import { toast } from "../ui/toaster.tsx";
import type { User } from "./use-users.ts";

/** A user's sessions, for Admins. */
export function UserSessionsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { id, name } = user;
  const utils = trpc.useUtils();
  const sessions = trpc.users.sessions.useQuery({ id });
  const revoke = trpc.users.revokeSession.useMutation();
  const revokeAll = trpc.users.revokeSessions.useMutation();
  const refresh = () => utils.users.sessions.invalidate({ id });
  const fail = (error: unknown) => void toast.error(messageOf(error));

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Sessions of “${name}”`}
      description="Signing them out does not stop their API keys. Disabling the user does both."
    >
      <SessionList
        items={sessions.data?.items}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        ending={revoke.isPending ? revoke.variables.sessionId : null}
        onEnd={(session) =>
          revoke.mutate({ id, sessionId: session.id }, { onError: fail, onSettled: refresh })
        }
      />
      <DialogFooter>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
        <Button
          variant="danger"
          disabled={!sessions.data?.items.length}
          pending={revokeAll.isPending}
          onClick={() =>
            revokeAll.mutate(
              { id },
              {
                onError: fail,
                onSuccess: ({ ended }) => toast.success(`Ended ${plural(ended, "session")} of “${name}”`),
                onSettled: refresh,
              },
            )
          }
        >
          Sign out everywhere
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
