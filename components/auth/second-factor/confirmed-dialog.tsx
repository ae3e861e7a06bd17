"use client";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { factsOf } from "../../trpc/errors.ts";
import { applyFieldErrors } from "../../trpc/field-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../../ui/dialog.tsx";
import { Field, FormError } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";

type Values = { text: string; password: string | undefined };

/** A change of second factors: perhaps a text, and the password if the sign-in was long ago. */
export function ConfirmedDialog({
  title,
  description,
  confirm,
  danger = false,
  field,
  needsPassword,
  onClose,
  onConfirm,
  children,
}: {
  title: string;
  description: string;
  confirm: string;
  danger?: boolean;
  field?: { label: string; hint: string; value: string; isCode?: boolean };
  needsPassword: boolean;
  onClose: () => void;
  /** Returns why it was not done, or null; may throw what the service answered. */
  onConfirm: (values: Values) => Promise<string | null>;
  children?: ReactNode;
}) {
  const [asksPassword, setAsksPassword] = useState(needsPassword);
  const form = useForm({
    defaultValues: { name: field?.value ?? "", code: field?.value ?? "", password: "" },
  });
  const { errors, isSubmitting } = form.formState;
  const property = field?.isCode ? "code" : "name";
  const submit = form.handleSubmit(async (values) => {
    try {
      const failure = await onConfirm({
        text: values[property],
        password: asksPassword ? values.password : undefined,
      });
      if (failure !== null) form.setError("root", { message: failure });
    } catch (error) {
      // The sign-in has become too old while the page was open.
      if (factsOf(error).errors.some(({ path }) => path === "password")) setAsksPassword(true);
      applyFieldErrors(form, error);
    }
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={title}
      description={description}
    >
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {children}
        {field && (
          <Field label={field.label} hint={field.hint} error={errors[property]}>
            <Input
              data-autofocus
              autoComplete={field.isCode ? "one-time-code" : "off"}
              inputMode={field.isCode ? "numeric" : "text"}
              {...form.register(property, { required: "is required" })}
            />
          </Field>
        )}
        {asksPassword && (
          <Field label="Current password" error={errors.password}>
            <PasswordInput
              autoComplete="current-password"
              {...form.register("password", { required: "is required" })}
            />
          </Field>
        )}
        <FormError>{errors.root?.message}</FormError>
        <DialogFooter>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant={danger ? "danger" : "primary"} pending={isSubmitting}>
            {confirm}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
