"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../ui/button.tsx";
import { DialogFooter } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { SecondStepForm } from "./second-factor/second-step-form.tsx";
import { type SecondStep, signIn } from "./session-calls.ts";

/** The password form for the page's owner. */
export function PasswordAgain({
  email,
  onDone,
  onDecline,
}: {
  email: string;
  onDone: () => Promise<boolean>;
  onDecline: () => void;
}) {
  const [step, setStep] = useState<SecondStep | null>(null);
  const form = useForm({ defaultValues: { password: "" } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password }) => {
    const result = await signIn(email, password);
    if (result === null) await onDone();
    else if ("step" in result) setStep(result.step);
    else {
      form.setError("root", { message: result.failure });
      form.setFocus("password");
    }
  });
  if (step)
    return <SecondStepForm step={step} onDone={() => void onDone()} cancel="Not now" onCancel={onDecline} />;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <p className="text-ink-2 break-words">
        Account: <strong className="font-medium text-ink">{email}</strong>
      </p>
      {/* For password managers: whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Password" error={errors.password}>
        <PasswordInput
          data-autofocus
          autoComplete="current-password"
          {...form.register("password", { required: "is required" })}
        />
      </Field>
      <FormError>{errors.root?.message}</FormError>
      <DialogFooter>
        <Button onClick={onDecline}>Not now</Button>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          Sign in
        </Button>
      </DialogFooter>
    </form>
  );
}
