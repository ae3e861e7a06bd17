"use client";
import type { ReactNode } from "react";
import type { ProjectRole, Role } from "@/server/auth/schema.ts";
import { messageOf } from "../trpc/errors.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toaster.tsx";
import { accessValues, accessWrite } from "./access-values.ts";

type Account = {
  id: number;
  name: string;
  enabled: boolean;
  revision: number;
  role: Role;
  projectRoles: ProjectRole[] | null;
};

/** What is sent to enable or disable an account; its name and access stay. */
export type AccountWrite = { id: number; name: string; enabled: boolean; baseRevision: number } & ReturnType<
  typeof accessWrite
>;

/** Confirms disabling or enabling a user or a service account; its children say what stops or resumes. */
export function EnableAccount({
  thing,
  account,
  load,
  save,
  onClose,
  children,
}: {
  thing: "user" | "service account";
  account: Account;
  /** All accounts as they are now: someone may have changed the name or the access since the list was loaded. */
  load: () => Promise<{ items: Account[] }>;
  save: (write: AccountWrite) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { id, name, enabled } = account;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={enabled ? `Disable “${name}”?` : `Enable “${name}”?`}
      confirm={`${enabled ? "Disable" : "Enable"} ${thing}`}
      variant={enabled ? "danger" : "primary"}
      explain={messageOf}
      onConfirm={async () => {
        const now = (await load()).items.find((each) => each.id === id) ?? account;
        const access = accessWrite(accessValues(now));
        await save({ id, name: now.name, baseRevision: now.revision, ...access, enabled: !enabled });
        toast.success(`${enabled ? "Disabled" : "Enabled"} “${name}”`);
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
