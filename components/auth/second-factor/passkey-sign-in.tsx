"use client";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useState } from "react";
import { trpc } from "../../trpc/client.tsx";
import { messageOf } from "../../trpc/errors.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/field.tsx";
import { presentPasskey } from "../session-calls.ts";
import { askForPasskey } from "./passkey-calls.ts";

/** Sign-in with a passkey in place of email and password. */
export function PasskeySignIn({ next }: { next: string }) {
  const utils = trpc.useUtils();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const enter = async () => {
    setFailure(null);
    setPending(true);
    const problem = await signInBy().catch(messageOf);
    // A full page load, so that nothing of an earlier session stays in memory.
    if (problem === null) return window.location.assign(next);
    setFailure(problem);
    setPending(false);
  };
  const signInBy = async (): Promise<string | null> => {
    const { options, ticket } = await utils.client.session.passkeyChallenge.query();
    const asked = await askForPasskey(options as unknown as PublicKeyCredentialRequestOptionsJSON);
    if ("failure" in asked) return asked.failure;
    const result = await presentPasskey(ticket, asked.passkey);
    return result && "failure" in result ? result.failure : null;
  };

  return (
    <div className="flex flex-col gap-4">
      <Button size="lg" pending={pending} onClick={() => void enter()}>
        Use a passkey instead
      </Button>
      <FormError>{failure}</FormError>
    </div>
  );
}
