"use client";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { useState } from "react";
import { trpc } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { AuthenticatorDialog } from "./authenticator-dialog.tsx";
import { ConfirmedDialog } from "./confirmed-dialog.tsx";
import { makePasskey } from "./passkey-calls.ts";
import type { AddFactorProps, Factors } from "./use-factors.ts";

/** Buttons that add an authenticator app or a passkey. `onAdded` gets the recovery codes that come with the first one. */
export function AddFactors({
  factors,
  onAdded,
}: {
  factors: Factors;
  onAdded: (codes: string[] | null) => void;
}) {
  const [adds, setAdds] = useState<"app" | "passkey" | null>(null);
  const close = () => setAdds(null);
  const added = (codes: string[] | null) => {
    close();
    onAdded(codes);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setAdds("app")}>
        {factors.totp ? "Replace authenticator app" : "Add authenticator app"}
      </Button>
      {factors.passkeysPossible ? (
        <Button onClick={() => setAdds("passkey")}>Add passkey</Button>
      ) : (
        <p className="basis-full text-ink-2">
          Passkeys are not possible at this address. They need https with a host name as PUBLIC_URL, or
          localhost.
        </p>
      )}
      {adds === "app" && (
        <AuthenticatorDialog needsPassword={factors.needsPassword} onClose={close} onAdded={added} />
      )}
      {adds === "passkey" && (
        <PasskeyDialog needsPassword={factors.needsPassword} onClose={close} onAdded={added} />
      )}
    </div>
  );
}

function PasskeyDialog({ needsPassword, onClose, onAdded }: AddFactorProps) {
  const utils = trpc.useUtils();
  const add = trpc.session.addPasskey.useMutation();
  return (
    <ConfirmedDialog
      title="Add a passkey"
      description="A fingerprint, face, PIN, or security key in place of a code. It can also replace the password."
      confirm="Add passkey"
      field={{ label: "Name", hint: "To tell it from others", value: "Passkey" }}
      needsPassword={needsPassword}
      onClose={onClose}
      onConfirm={async ({ text: name, password }) => {
        const { options, ticket } = await utils.client.session.newPasskey.query();
        const made = await makePasskey(options as unknown as PublicKeyCredentialCreationOptionsJSON);
        if ("failure" in made) return made.failure;
        const { recoveryCodes } = await add.mutateAsync({ ticket, name, response: made.response, password });
        await utils.session.secondFactors.invalidate();
        onAdded(recoveryCodes);
        return null;
      }}
    />
  );
}
