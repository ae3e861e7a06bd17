"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { factsOf } from "../trpc/errors.ts";
import { asksWhoIsThere } from "../trpc/session-link.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { FormError } from "../ui/field.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { answerLostSession, askAgain, claimPrompt } from "./lost-session.ts";
import { OidcAgain } from "./oidc-again.tsx";
import { PasswordAgain } from "./password-again.tsx";
import { useLostSession } from "./use-lost-session.ts";
import { useMe, usePageOwner } from "./use-me.ts";

/**
 * Asks the user to sign in again when the session has expired, in a dialog over the page: unsaved work stays, and
 * rejected calls are retried. If a different user signs in, a notice says that the page belongs to someone else.
 */
export function SignInAgain() {
  const lost = useLostSession();
  const owner = usePageOwner();
  const check = useSignedInAgain(owner.id);
  useEffect(claimPrompt, []);

  const decline = () => answerLostSession(false);
  return (
    <>
      {lost === "declined" && <SignedOutBar />}
      <Dialog
        open={lost === "asked"}
        onOpenChange={(open) => !open && decline()}
        size="sm"
        title={check.other ? "Someone else is signed in now" : "Your session has ended"}
        description={
          check.other
            ? `${check.other} has signed in in this browser, and this page belongs to ${owner.name}. Your unsaved changes are kept for when you sign in again.`
            : "Sign in again to continue. Everything on this page stays as it is."
        }
      >
        {check.other ? (
          <DialogFooter>
            <Button variant="primary" onClick={() => window.location.reload()}>
              Reload as {check.other}
            </Button>
          </DialogFooter>
        ) : (
          <SignInMethods email={owner.email} onDone={check.run} onDecline={decline} />
        )}
        <FormError>{check.failure}</FormError>
      </Dialog>
    </>
  );
}

/** The user's sign-in methods, as on the sign-in page, starting with the one they used last. */
function SignInMethods({
  email,
  onDone,
  onDecline,
}: {
  email: string;
  onDone: () => Promise<boolean>;
  onDecline: () => void;
}) {
  const { session } = useMe();
  const { data } = trpc.session.signInOptions.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const oidc = data?.oidc ?? null;
  const isByOidc = oidc !== null && (session?.signedInBy === "Oidc" || data?.password === false);
  return (
    <>
      {isByOidc ? (
        <DialogFooter>
          <Button onClick={onDecline}>Not now</Button>
        </DialogFooter>
      ) : (
        <PasswordAgain email={email} onDone={onDone} onDecline={onDecline} />
      )}
      {oidc && <OidcAgain name={oidc.name} isAlone={isByOidc} onDone={onDone} />}
    </>
  );
}

/** At the top, since editors have their buttons at the bottom. */
function SignedOutBar() {
  return (
    <div
      role="status"
      className="fixed inset-x-2 top-14 z-40 mx-auto flex max-w-xl items-center gap-3 rounded-md border border-warning/50 bg-warning-soft px-3 py-2 shadow-float md:top-2"
    >
      <StatusIcon kind="warning" />
      <p className="min-w-0 flex-1">
        Your session has ended. Nothing can be loaded or saved until you sign in.
      </p>
      <Button size="sm" variant="primary" onClick={() => void askAgain()}>
        Sign in
      </Button>
    </div>
  );
}

/** Checks who is signed in now: the same user, someone else, or nobody. */
function useSignedInAgain(userId: number) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const lost = useLostSession();
  const [other, setOther] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const run = useCallback(async (): Promise<boolean> => {
    setFailure(null);
    try {
      const me = await utils.client.session.me.query(undefined, { context: asksWhoIsThere });
      if (me.user.id !== userId) {
        setOther(me.user.name);
        return true;
      }
      utils.session.me.setData(undefined, me);
      answerLostSession(true);
      void queryClient.invalidateQueries();
      return true;
    } catch (error) {
      const { code, message } = factsOf(error);
      if (code !== "UNAUTHORIZED") setFailure(message);
      return false;
    }
  }, [utils, queryClient, userId]);

  // They may have signed in from another tab.
  useEffect(() => {
    if (lost !== "asked") return;
    const look = () => void run();
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, [lost, run]);
  return { run, other, failure };
}
