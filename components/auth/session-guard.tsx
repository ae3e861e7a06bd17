"use client";
import dynamic from "next/dynamic";

/** Loaded once the page has come to life: nobody's session ends before that. */
const SignInAgain = dynamic(() => import("./sign-in-again.tsx").then((module) => module.SignInAgain), {
  ssr: false,
});

/** What stands over every page of the console, to be seen when the session has ended. */
export function SessionGuard() {
  return <SignInAgain />;
}
