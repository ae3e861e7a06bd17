import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { callbackPath, nextPath } from "@/components/auth/next-path.ts";
import { OidcSignIn } from "@/components/auth/oidc-sign-in.tsx";
import { PasskeySignIn } from "@/components/auth/second-factor/passkey-sign-in.tsx";
import { signInFailure } from "@/components/auth/sign-in-failure.ts";
import { SignInForm } from "@/components/auth/sign-in-form.tsx";
import { api, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { next: wanted, callbackUrl, error } = await searchParams;
  const next = nextPath(wanted ?? callbackPath(callbackUrl));
  if (await isSignedIn()) redirect(next);
  if ((await api.session.setupStatus()).needed) redirect("/setup");
  const { oidc, password, passkeys } = await api.session.signInOptions();
  const failure = signInFailure(error, oidc?.name ?? null);
  return (
    <>
      <h1 className="sr-only">Sign in</h1>
      {password ? (
        <SignInForm next={next} failure={failure}>
          {passkeys && <PasskeySignIn next={next} />}
          {oidc && <OidcSignIn name={oidc.name} next={next} />}
        </SignInForm>
      ) : (
        oidc && <OidcSignIn name={oidc.name} next={next} isAlone failure={failure} />
      )}
    </>
  );
}
