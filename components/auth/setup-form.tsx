"use client";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { signIn } from "./session-calls.ts";

/**
 * Creates the first Admin and signs them in. From another machine, it needs the token printed by the service; the
 * printed URL contains it in its fragment.
 */
export function SetupForm({ needsToken }: { needsToken: boolean }) {
  const form = useForm({ defaultValues: { name: "", email: "", password: "", token: "" } });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const setUp = trpc.session.setUp.useMutation();

  const { setValue } = form;
  useEffect(() => {
    const token = tokenIn(window.location);
    if (token) setValue("token", token);
  }, [setValue]);

  const submit = form.handleSubmit(async ({ token, ...values }) => {
    try {
      await setUp.mutateAsync(token.trim() ? { ...values, token: token.trim() } : values);
    } catch (error) {
      applyFieldErrors(form, error);
      return;
    }
    const failure = await signIn(values.email.trim(), values.password);
    window.location.assign(failure === null ? "/" : "/sign-in");
  });

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Your name" error={errors.name}>
        <Input autoComplete="name" autoFocus {...form.register("name", { required: "is required" })} />
      </Field>
      <Field label="Email" error={errors.email}>
        <Input
          type="email"
          autoComplete="username"
          {...form.register("email", { required: "is required" })}
        />
      </Field>
      <Field
        label="Password"
        hint="At least 10 characters, and not a common password"
        error={errors.password}
      >
        <PasswordInput
          autoComplete="new-password"
          {...form.register("password", {
            required: "is required",
            minLength: { value: 10, message: "must have at least 10 characters" },
          })}
        />
      </Field>
      {(needsToken || errors.token) && (
        <Field
          label="Set-up token"
          hint="Part of the address the service printed at startup"
          error={errors.token}
        >
          <Input
            mono
            spellCheck={false}
            {...form.register("token", { required: needsToken && "is required" })}
          />
        </Field>
      )}
      <FormError>{errors.root?.message}</FormError>
      <Button type="submit" variant="primary" size="lg" pending={isSubmitting || isSubmitSuccessful}>
        Create the first Admin
      </Button>
    </form>
  );
}

/** `#token=…`, as printed, or `?token=…`. */
function tokenIn({ hash, search }: Location): string | null {
  return new URLSearchParams(hash.slice(1)).get("token") ?? new URLSearchParams(search).get("token");
}
