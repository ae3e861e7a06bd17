"use client";
import dynamic from "next/dynamic";

/** Loaded after hydration: no session expires before that. */
const SignInAgain = dynamic(() => import("./sign-in-again.tsx").then((module) => module.SignInAgain), {
  ssr: false,
});

/** Present on every console page; prompts for sign-in when the session has expired. */
export function SessionGuard() {
  return <SignInAgain />;
}
