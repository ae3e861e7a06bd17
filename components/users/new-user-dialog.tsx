"use client";
import { Controller, useForm } from "react-hook-form";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceList } from "../ui/choice-list.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { toast } from "../ui/toaster.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import type { NewUserValues } from "./new-user-values.ts";
import { roleChoices } from "./role-choices.ts";

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New user">
      <NewUserForm onDone={onClose} />
    </Dialog>
  );
}

function NewUserForm({ onDone }: { onDone: () => void }) {
  const utils = trpc.useUtils();
  const create = trpc.users.create.useMutation();
  const form = useForm<NewUserValues>({
    defaultValues: { name: "", email: "", role: "Viewer", password: "" },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await create.mutateAsync(values);
    } catch (error) {
      applyFieldErrors(form, error);
      return;
    }
    await utils.users.invalidate();
    toast.success(`Created “${values.name.trim()}”, who can sign in now`);
    onDone();
  });

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name}>
          <Input data-autofocus {...form.register("name", { required: "is required" })} />
        </Field>
        <Field label="Email" error={errors.email}>
          <Input
            type="email"
            placeholder="ada@example.com"
            {...form.register("email", { required: "is required" })}
          />
        </Field>
      </div>
      <Controller
        control={form.control}
        name="role"
        render={({ field }) => (
          <ChoiceList label="Role" value={field.value} onValueChange={field.onChange} options={roleChoices} />
        )}
      />
      <NewPasswordField form={form} />
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          Create user
        </Button>
      </DialogFooter>
    </form>
  );
}
