"use client";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../ui/button.tsx";
import { Field, FormError } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { presentFactor, type SecondStep, type SignInResult } from "../session-calls.ts";
import { askForPasskey } from "./passkey-calls.ts";

/** What follows a right password: a code, a passkey, or a recovery code. */
export function SecondStepForm({
  step,
  onDone,
  cancel,
  onCancel,
}: {
  step: SecondStep;
  onDone: () => void;
  cancel: string;
  onCancel: () => void;
}) {
  const hasApp = step.methods.includes("Totp");
  const hasCodes = step.methods.includes("RecoveryCode");
  const { passkey } = step;
  const [byRecovery, setByRecovery] = useState(!hasApp && passkey === null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const form = useForm({ defaultValues: { code: "" } });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;

  const finish = (result: SignInResult): boolean => {
    if (result === null) {
      onDone();
      return true;
    }
    setFailure("failure" in result ? result.failure : "Sign-in failed. Try again in a moment.");
    return false;
  };
  const submit = form.handleSubmit(async ({ code }) => {
    setFailure(null);
    const proof = byRecovery ? { recoveryCode: code } : { code };
    if (finish(await presentFactor(step.ticket, proof))) return;
    form.reset({ code: "" });
    form.setFocus("code");
  });
  const presentPasskeyHere = async () => {
    if (!passkey) return;
    setFailure(null);
    setAsking(true);
    const asked = await askForPasskey(passkey);
    if ("failure" in asked) setFailure(asked.failure);
    else if (finish(await presentFactor(step.ticket, asked))) return;
    setAsking(false);
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <div className="flex flex-col gap-1">
        <h2 className="text-base font-semibold">Second factor</h2>
        <p className="text-ink-2">Your password is right. Now confirm that it is you.</p>
      </div>
      {passkey && !byRecovery && (
        <Button
          size="lg"
          variant={hasApp ? "secondary" : "primary"}
          pending={isAsking}
          onClick={() => void presentPasskeyHere()}
        >
          Use a passkey
        </Button>
      )}
      {(hasApp || byRecovery) && (
        <Field
          label={byRecovery ? "Recovery code" : "Code"}
          hint={byRecovery ? "Each works once" : "The six digits in your authenticator app"}
          error={errors.code}
        >
          <Input
            key={byRecovery ? "recovery" : "app"}
            autoFocus
            data-autofocus
            autoComplete="one-time-code"
            inputMode={byRecovery ? "text" : "numeric"}
            spellCheck={false}
            className="font-mono"
            {...form.register("code", { required: "is required" })}
          />
        </Field>
      )}
      <FormError>{failure}</FormError>
      {(hasApp || byRecovery) && (
        <Button
          type="submit"
          variant="primary"
          size="lg"
          pending={isSubmitting || (isSubmitSuccessful && !failure)}
        >
          Sign in
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" onClick={onCancel}>
          {cancel}
        </Button>
        {hasCodes && (hasApp || passkey !== null) && (
          <Button
            variant="ghost"
            onClick={() => {
              setFailure(null);
              form.reset({ code: "" });
              setByRecovery(!byRecovery);
            }}
          >
            {byRecovery ? "Use something else" : "Use a recovery code"}
          </Button>
        )}
      </div>
      {!hasApp && passkey === null && !hasCodes && (
        <p className="text-ink-2">
          Passkeys do not work at this address. Open the service at its public address, or ask an Admin to
          reset your second factor.
        </p>
      )}
    </form>
  );
}
