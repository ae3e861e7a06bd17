"use client";
import { useForm } from "react-hook-form";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { toast } from "../ui/toaster.tsx";
import { answerLostSession } from "./lost-session.ts";
import { signIn } from "./session-calls.ts";
import { useMe } from "./use-me.ts";

export function PasswordDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { user } = useMe();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="Change your password"
      description={
        user.hasSecondFactor
          ? "All your sessions end, and you sign in again with the new password and your second factor."
          : "You stay signed in here. All your other sessions end."
      }
    >
      <PasswordForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { user } = useMe();
  const change = trpc.session.changePassword.useMutation();
  const form = useForm({ defaultValues: { current: "", next: "" } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await change.mutateAsync(values);
    } catch (error) {
      applyFieldErrors(form, error);
      return;
    }
    // Changing the password also ended this session; sign in with the new one.
    if ((await signIn(user.email, values.next)) !== null) return window.location.assign("/sign-in");
    // Retry what the page read in the meantime.
    answerLostSession(true);
    toast.success("Password changed");
    onDone();
  });

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {/* For password managers: whose password this is. */}
      <input type="email" autoComplete="username" value={user.email} readOnly hidden />
      <Field label="Current password" error={errors.current}>
        <PasswordInput
          autoComplete="current-password"
          {...form.register("current", { required: "is required" })}
        />
      </Field>
      <Field
        label="New password"
        hint="At least 10 characters, and not a common password"
        error={errors.next}
      >
        <PasswordInput
          autoComplete="new-password"
          {...form.register("next", {
            required: "is required",
            minLength: { value: 10, message: "must have at least 10 characters" },
          })}
        />
      </Field>
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          Change password
        </Button>
      </DialogFooter>
    </form>
  );
}
