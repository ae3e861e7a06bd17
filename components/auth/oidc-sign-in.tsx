"use client";
import { useState } from "react";
import { LogIn } from "@/components/ui/icons.tsx";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";
import { oidcAddress } from "./session-calls.ts";

/** Sign-in through the organization's provider, next to the password form or alone. */
export function OidcSignIn({
  name,
  next,
  isAlone = false,
  failure: former = null,
}: {
  name: string;
  next: string;
  isAlone?: boolean;
  /** Explains a failed sign-in; shown until the next attempt. */
  failure?: string | null;
}) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(former);

  const leave = async () => {
    setPending(true);
    setFailure(null);
    const address = await oidcAddress(next);
    if (address) return window.location.assign(address);
    setPending(false);
    setFailure("The service did not answer. Check the connection, then try again.");
  };

  return (
    <div className="flex flex-col gap-4">
      {!isAlone && (
        <div className="flex items-center gap-3 text-xs text-ink-3">
          <span className="h-px flex-1 bg-line" />
          or
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      <FormError>{failure}</FormError>
      <Button
        size="lg"
        variant={isAlone ? "primary" : "secondary"}
        icon={LogIn}
        pending={pending}
        onClick={leave}
      >
        <span className="truncate">Continue with {name}</span>
      </Button>
    </div>
  );
}
