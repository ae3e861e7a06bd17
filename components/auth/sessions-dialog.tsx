"use client";
import { useState } from "react";
import { forgetDrafts } from "../drafts/open-drafts.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { plural } from "../ui/format.ts";
import { toast } from "../ui/toaster.tsx";
import { leaveSession } from "./lost-session.ts";
import { SessionList } from "./session-list.tsx";
import { useMe } from "./use-me.ts";

/** The user's own sessions, with buttons to end one or all. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const { user } = useMe();
  const utils = trpc.useUtils();
  const sessions = trpc.session.sessions.useQuery();
  const revoke = trpc.session.revoke.useMutation();
  const everywhere = trpc.session.signOutEverywhere.useMutation();
  const [asks, setAsks] = useState(false);
  const items = sessions.data?.items;
  const others = items?.filter(({ isCurrent }) => !isCurrent).length ?? 0;

  const refresh = () => utils.session.sessions.invalidate();
  const fail = (error: unknown) => void toast.error(messageOf(error));
  const endOthers = () =>
    everywhere.mutate(
      { keepCurrent: true },
      {
        onError: fail,
        onSuccess: ({ ended }) => toast.success(`Signed out of ${plural(ended, "other session")}`),
        onSettled: refresh,
      },
    );
  const endAll = async () => {
    await leaveSession(() => everywhere.mutateAsync({ keepCurrent: false }));
    forgetDrafts(user.id);
    window.location.assign("/sign-in");
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Sessions"
      description="Where you are signed in. API keys are separate and keep working: revoke those under API keys."
    >
      <SessionList
        items={items}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        ending={revoke.isPending ? revoke.variables.id : null}
        onEnd={({ id }) => revoke.mutate({ id }, { onError: fail, onSettled: refresh })}
      />
      <DialogFooter>
        <Button disabled={others === 0} pending={everywhere.isPending && !asks} onClick={endOthers}>
          Sign out other sessions
        </Button>
        <Button variant="danger" onClick={() => setAsks(true)}>
          Sign out everywhere
        </Button>
      </DialogFooter>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        explain={messageOf}
        onConfirm={endAll}
      >
        All {plural(others + 1, "session")} end at once, this one included. Unsaved changes kept in this
        browser are removed.
      </ConfirmDialog>
    </Dialog>
  );
}
