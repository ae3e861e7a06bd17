"use client";
import { useForm } from "react-hook-form";
import { trpc } from "../trpc/client.tsx";
import { applyFieldErrors } from "../trpc/field-errors.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { signIn } from "./session-calls.ts";

/** Makes the first Admin and signs them in. */
export function SetupForm() {
  const form = useForm({ defaultValues: { name: "", email: "", password: "" } });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const setUp = trpc.session.setUp.useMutation();

  const submit = form.handleSubmit(async (values) => {
    try {
      await setUp.mutateAsync(values);
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
      <Field label="E-mail" error={errors.email}>
        <Input
          type="email"
          autoComplete="username"
          {...form.register("email", { required: "is required" })}
        />
      </Field>
      <Field label="Password" hint="At least 10 characters" error={errors.password}>
        <PasswordInput
          autoComplete="new-password"
          {...form.register("password", {
            required: "is required",
            minLength: { value: 10, message: "must have at least 10 characters" },
          })}
        />
      </Field>
      <FormError>{errors.root?.message}</FormError>
      <Button type="submit" variant="primary" size="lg" pending={isSubmitting || isSubmitSuccessful}>
        Create the first Admin
      </Button>
    </form>
  );
}
