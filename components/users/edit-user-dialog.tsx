"use client";
import { useState } from "react";
import { type Control, useForm } from "react-hook-form";
import { useMe } from "../auth/use-me.ts";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { toast } from "../ui/toaster.tsx";
import { AccessField } from "./access-field.tsx";
import { type AccessValues, accessValues, accessWrite } from "./access-values.ts";
import { AccessWords } from "./access-words.tsx";
import { AccountFormEnd } from "./account-form-end.tsx";
import type { User } from "./use-users.ts";

/** Edits a user's name and access; new roles apply from their next request. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit “${user.name}”`}
      description={user.email}
    >
      <EditUserForm user={user} onDone={onClose} />
    </Dialog>
  );
}

/** Whether they are enabled is changed elsewhere, and sent back as it is. */
const editionOf = (user: User) => ({
  revision: user.revision,
  values: { name: user.name, enabled: user.enabled, ...accessValues(user) },
});

/** Each sign-in sets it again, so changing it here would not last. */
function ManagedAccess({ user }: { user: User }) {
  const { data } = trpc.session.signInOptions.useQuery();
  const name = (user.managedBy === "Oidc" && data?.oidc?.name) || "The identity provider";
  return (
    <div className="flex flex-col gap-1">
      <div className="text-xs font-medium text-ink-2">Access</div>
      <p>
        <AccessWords user={user} isWhole />
      </p>
      <p className="text-xs text-ink-3">
        {name} decides this by groups{user.managedBy === "Oidc" && ", at each sign-in"}. To keep them out at
        once, disable the user.
      </p>
    </div>
  );
}

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const me = useMe();
  const utils = trpc.useUtils();
  const update = trpc.users.update.useMutation();
  const [start] = useState(() => editionOf(user));
  const form = useForm({ defaultValues: start.values });
  const edit = useSafeEdit(form, start, async () => {
    const { items } = await utils.users.list.fetch(undefined, { staleTime: 0 });
    const stored = items.find(({ id }) => id === user.id);
    if (!stored) throw new Error("The user is gone");
    return editionOf(stored);
  });
  const { errors, isSubmitting } = form.formState;
  const isOwn = user.id === me.user.id;

  const submit = form.handleSubmit(async ({ name, enabled, ...access }) => {
    try {
      const baseRevision = edit.revision;
      await update.mutateAsync({ id: user.id, baseRevision, name, enabled, ...accessWrite(access) });
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error);
      return;
    }
    toast.success(`Saved “${name.trim()}”`);
    onDone();
    // The signed-in user's own name and role appear throughout the console.
    await Promise.all([utils.users.invalidate(), isOwn && utils.session.me.invalidate()]);
  });

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" error={errors.name}>
        <Input data-autofocus {...form.register("name", { required: "is required" })} />
      </Field>
      {user.managedBy ? (
        <ManagedAccess user={user} />
      ) : (
        // A form of more values than these, which the type cannot say.
        <AccessField control={form.control as unknown as Control<AccessValues>} />
      )}
      <p className={user.managedBy ? "hidden" : "text-xs text-ink-3"}>
        {isOwn
          ? "This is your own account: with less access, you cannot undo this yourself."
          : "This applies from their next request, and limits their API keys too."}
      </p>
      <AccountFormEnd
        thing="user"
        meanwhile={edit.meanwhile}
        onTake={edit.take}
        error={errors.root?.message}
        isSubmitting={isSubmitting}
      />
    </form>
  );
}
