"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { User } from "./use-users.ts";

/** For someone who has lost theirs. */
export function ResetSecondFactor({ user, onClose }: { user: User; onClose: () => void }) {
  const utils = trpc.useUtils();
  const reset = trpc.users.resetSecondFactor.useMutation();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Reset the second factor of ${user.name}?`}
      confirm="Reset second factor"
      explain={messageOf}
      onConfirm={async () => {
        await reset.mutateAsync({ id: user.id });
        await utils.users.invalidate();
        toast.success(`${user.name} has no second factor now`);
        onClose();
      }}
    >
      Their passkeys, authenticator app, and recovery codes are removed, and all their sessions end. Until
      they set up a new one, their password is enough to sign in. Make sure that it is really them who asked.
    </ConfirmDialog>
  );
}
