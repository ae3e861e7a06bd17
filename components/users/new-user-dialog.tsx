"use client";
import { type Control, useForm } from "react-hook-form";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { toast } from "../ui/toaster.tsx";
import { AccessField } from "./access-field.tsx";
import { type AccessValues, accessValues, accessWrite } from "./access-values.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import type { NewUserValues } from "./new-user-values.ts";

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
  const { data: signIn } = trpc.session.signInOptions.useQuery();
  const hasPasswords = signIn?.password !== false;
  const form = useForm<NewUserValues>({
    defaultValues: { name: "", email: "", password: "", ...accessValues() },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      const { name, email, password } = values;
      await create.mutateAsync({ name, email, ...(hasPasswords && { password }), ...accessWrite(values) });
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
      {/* A form of more values than these, which the type cannot say. */}
      <AccessField control={form.control as unknown as Control<AccessValues>} />
      {hasPasswords && <NewPasswordField form={form} />}
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
