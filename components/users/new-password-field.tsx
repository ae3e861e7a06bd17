"use client";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { Dices } from "@/components/ui/icons.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { generatedPassword } from "./generated-password.ts";
import type { NewUserValues } from "./new-user-values.ts";

/**
 * Someone else's first password, typed or generated. It is shown in plain text, since the person who creates the
 * account has to pass it on.
 */
export function NewPasswordField({ form }: { form: UseFormReturn<NewUserValues> }) {
  const { register, setValue, clearErrors, control, formState } = form;
  const password = useWatch({ control, name: "password" });
  const generate = () => {
    setValue("password", generatedPassword(), { shouldDirty: true });
    clearErrors("password");
  };
  return (
    <Field
      label="Password"
      hint="At least 10 characters. Share it with them; they can change it from the account menu."
      error={formState.errors.password}
    >
      <div className="flex flex-wrap gap-2">
        <Input
          mono
          spellCheck={false}
          autoComplete="off"
          className="basis-full sm:flex-1 sm:basis-0"
          {...register("password", {
            required: "is required",
            minLength: { value: 10, message: "must have at least 10 characters" },
          })}
        />
        {password !== "" && <CopyButton text={password} variant="secondary" size="md" />}
        <Button icon={Dices} onClick={generate}>
          Generate
        </Button>
      </div>
    </Field>
  );
}
