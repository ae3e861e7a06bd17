"use client";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { SecondStepForm } from "./second-factor/second-step-form.tsx";
import { type SecondStep, signIn } from "./session-calls.ts";

/**
 * `children` are the other ways to sign in, until the password was right. `failure` explains a failed sign-in through the
 * provider; shown until the next attempt.
 */
export function SignInForm({
  next,
  failure,
  children,
}: {
  next: string;
  failure: string | null;
  children: ReactNode;
}) {
  const [step, setStep] = useState<SecondStep | null>(null);
  const form = useForm({ defaultValues: { email: "", password: "" } });
  const { errors, isSubmitting, isSubmitSuccessful, isSubmitted } = form.formState;

  const submit = form.handleSubmit(async ({ email, password }) => {
    const result = await signIn(email.trim(), password);
    // A full page load, so that nothing of an earlier session stays in memory.
    if (result === null) window.location.assign(next);
    else if ("step" in result) setStep(result.step);
    else {
      form.setError("root", { message: result.failure });
      form.setFocus("password");
    }
  });

  if (step)
    return (
      <SecondStepForm
        step={step}
        onDone={() => window.location.assign(next)}
        cancel="Back"
        onCancel={() => {
          setStep(null);
          form.reset();
        }}
      />
    );
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <Field label="Email" error={errors.email}>
          <Input
            type="email"
            autoComplete="username"
            autoFocus
            {...form.register("email", { required: "is required" })}
          />
        </Field>
        <Field label="Password" error={errors.password}>
          <PasswordInput
            autoComplete="current-password"
            {...form.register("password", { required: "is required" })}
          />
        </Field>
        <FormError>{errors.root?.message ?? (isSubmitted ? null : failure)}</FormError>
        <Button type="submit" variant="primary" size="lg" pending={isSubmitting || isSubmitSuccessful}>
          Sign in
        </Button>
      </form>
      {children}
    </>
  );
}
