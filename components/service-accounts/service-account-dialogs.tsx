"use client";
import { useState } from "react";
import { type Control, useForm } from "react-hook-form";
import { useSafeEdit } from "../edits/use-safe-edit.ts";
import { UnlessManaged } from "../stacks/managed-notice.tsx";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { toast } from "../ui/toaster.tsx";
import { AccessField } from "../users/access-field.tsx";
import { type AccessValues, accessValues, accessWrite } from "../users/access-values.ts";
import { AccountFormEnd } from "../users/account-form-end.tsx";
import type { ServiceAccount } from "./use-service-accounts.ts";

/** Creates a service account; the next step is its first key. */
export function NewServiceAccountDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (account: ServiceAccount) => void;
}) {
  const utils = trpc.useUtils();
  const create = trpc.serviceAccounts.create.useMutation();
  const form = useForm({ defaultValues: { name: "", ...accessValues() } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ name, ...access }) => {
    try {
      const account = await create.mutateAsync({ name, ...accessWrite(access) });
      await utils.serviceAccounts.invalidate();
      toast.success(`Created “${account.name}”`);
      onMade(account);
    } catch (error) {
      applyFieldErrors(form, error);
    }
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New service account"
      description="For a program. Its API keys keep working when people leave."
    >
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <Field label="Name" hint="What will use it" error={errors.name}>
          <Input
            data-autofocus
            placeholder="Nightly pipeline"
            {...form.register("name", { required: "is required" })}
          />
        </Field>
        {/* A form of more values than these, which the type cannot say. */}
        <AccessField control={form.control as unknown as Control<AccessValues>} />
        <p className="text-xs text-ink-3">
          Whatever its role, it cannot approve changes or plans: a person has to.
        </p>
        <FormError>{errors.root?.message}</FormError>
        <DialogFooter>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={isSubmitting}>
            Create service account
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Edits a service account's name and access; new roles apply from its next request. */
export function EditServiceAccountDialog({
  account,
  onClose,
}: {
  account: ServiceAccount;
  onClose: () => void;
}) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Edit “${account.name}”`}>
      <UnlessManaged kind="ServiceAccount" id={account.id}>
        <EditForm account={account} onDone={onClose} />
      </UnlessManaged>
    </Dialog>
  );
}

/** Whether it is enabled is changed elsewhere, and sent back as it is. */
const editionOf = (account: ServiceAccount) => ({
  revision: account.revision,
  values: { name: account.name, enabled: account.enabled, ...accessValues(account) },
});

function EditForm({ account, onDone }: { account: ServiceAccount; onDone: () => void }) {
  const utils = trpc.useUtils();
  const update = trpc.serviceAccounts.update.useMutation();
  const [start] = useState(() => editionOf(account));
  const form = useForm({ defaultValues: start.values });
  const edit = useSafeEdit(form, start, async () => {
    const { items } = await utils.serviceAccounts.list.fetch(undefined, { staleTime: 0 });
    const stored = items.find(({ id }) => id === account.id);
    if (!stored) throw new Error("The service account is gone");
    return editionOf(stored);
  });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ name, enabled, ...access }) => {
    try {
      const baseRevision = edit.revision;
      await update.mutateAsync({ id: account.id, baseRevision, name, enabled, ...accessWrite(access) });
    } catch (error) {
      if (await edit.onRefused(error)) return;
      applyFieldErrors(form, error);
      return;
    }
    toast.success(`Saved “${name.trim()}”`);
    onDone();
    await utils.serviceAccounts.invalidate();
  });
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Name" error={errors.name}>
        <Input data-autofocus {...form.register("name", { required: "is required" })} />
      </Field>
      {/* A form of more values than these, which the type cannot say. */}
      <AccessField control={form.control as unknown as Control<AccessValues>} />
      <p className="text-xs text-ink-3">This applies from the next request of its API keys.</p>
      <AccountFormEnd
        thing="service account"
        meanwhile={edit.meanwhile}
        onTake={edit.take}
        error={errors.root?.message}
        isSubmitting={isSubmitting}
      />
    </form>
  );
}
