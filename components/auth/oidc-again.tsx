"use client";
import { useState } from "react";
import { ExternalLink } from "@/components/ui/icons.tsx";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";
import { oidcAddress } from "./session-calls.ts";

/** The page the other tab ends on; it says that the tab can be closed. */
const signedInPath = "/signed-in";

/** Signs in again through the organization's provider, in a new tab, so that this page stays as it is. */
export function OidcAgain({
  name,
  isAlone,
  onDone,
}: {
  name: string;
  /** There is no password form next to it. */
  isAlone: boolean;
  onDone: () => Promise<boolean>;
}) {
  const [step, setStep] = useState<"begin" | "opening" | "elsewhere" | "checking">("begin");
  const [failure, setFailure] = useState<string | null>(null);

  const open = async () => {
    setFailure(null);
    // Browsers allow opening a tab only while handling the click, so open it before the URL is known.
    const tab = window.open("about:blank", "_blank");
    if (!tab)
      return setFailure("The browser blocked the new tab. Allow pop-ups for this page, then try again.");
    setStep("opening");
    const address = await oidcAddress(signedInPath);
    if (address) {
      tab.location.href = address;
      return setStep("elsewhere");
    }
    tab.close();
    setStep("begin");
    setFailure("The service did not answer. Check the connection, then try again.");
  };

  const check = async () => {
    setStep("checking");
    setFailure(null);
    if (await onDone()) return;
    setStep("elsewhere");
    setFailure("You are not signed in yet. Finish signing in in the other tab first.");
  };

  return (
    <div className="flex flex-col gap-3">
      {!isAlone && (
        <div className="flex items-center gap-3 text-xs text-ink-3">
          <span className="h-px flex-1 bg-line" />
          or
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      {(step === "elsewhere" || step === "checking") && (
        <>
          <p className="text-ink-2">Sign in with {name} in the tab that has opened, then come back here.</p>
          <Button variant="primary" pending={step === "checking"} onClick={check}>
            Continue
          </Button>
        </>
      )}
      <Button icon={ExternalLink} pending={step === "opening"} onClick={open}>
        <span className="truncate">Sign in with {name} in a new tab</span>
      </Button>
      <FormError>{failure}</FormError>
    </div>
  );
}
