"use client";
import { useState } from "react";
import { trpc } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { signOut } from "../session-calls.ts";
import { AddFactors } from "./add-factors.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** For someone whose role needs a second factor: until they have one, nothing else works. */
export function RequiredFactor() {
  const [factors] = trpc.session.secondFactors.useSuspenseQuery();
  const goOn = () => window.location.assign("/home");
  const [codes, setCodes] = useState<string[] | null>(null);
  const leave = async () => {
    await signOut();
    window.location.assign("/sign-in");
  };
  return (
    <>
      <div className="flex flex-col gap-1">
        <h1 className="text-base font-semibold">Set up a second factor</h1>
        <p className="text-ink-2">
          Your role needs one besides the password. Once it is set up, you can go on.
        </p>
      </div>
      <AddFactors factors={factors} onAdded={(made) => (made ? setCodes(made) : goOn())} />
      {codes && <RecoveryCodes codes={codes} onClose={goOn} />}
      <Button variant="ghost" onClick={() => void leave()}>
        Sign out
      </Button>
    </>
  );
}
