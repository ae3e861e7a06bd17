import "server-only";
/**
 * The same procedures on the server, as the caller whose page this is.
 *
 *   await api.projects.list.prefetch();
 *   return <HydrateClient><ProjectsTable /></HydrateClient>;
 *
 * Await the prefetch: the page then comes whole. What may be slow or away, such as somebody's database, is left
 * to the browser, with `useQuery` and an ErrorState of its own; a prefetch that fails on its way loses its reason.
 */
import { createHydrationHelpers } from "@trpc/react-query/rsc";
import { TRPCError } from "@trpc/server";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type AppRouter, appRouter } from "@/server/app-router.ts";
import { pathHeader } from "@/server/auth/principal.ts";
import { createContext } from "@/server/context.ts";
import { createCallerFactory } from "@/server/trpc.ts";
import { createQueryClient } from "./query-client.ts";

const getQueryClient = cache(() => createQueryClient());
/** Pages are for people: only a cookie signs in to them, and a key counts for nothing, be it good or bad. */
const getContext = cache(async () => {
  const presented = new Headers(await headers());
  presented.delete("authorization");
  return createContext(presented);
});

const caller = createCallerFactory(appRouter)(getContext);

export const { trpc: api, HydrateClient } = createHydrationHelpers<AppRouter>(caller, getQueryClient);

/** Whether anybody is signed in. Pages and procedures authorise themselves; this only chooses the way. */
export async function isSignedIn(): Promise<boolean> {
  return (await getContext()).principal !== null;
}

/** The way to the sign-in page, and back to the page that is asked for. */
export async function signInPath(): Promise<string> {
  const here = (await headers()).get(pathHeader)?.replace(/[?&]_rsc=[^&]*/, "");
  return here && here !== "/" ? `/sign-in?next=${encodeURIComponent(here)}` : "/sign-in";
}

/**
 * What the page is about; what does not exist, and what its caller may not see, is the not-found page. Whose session
 * has ended since the console was loaded is led to sign in.
 */
export async function orNotFound<Thing>(load: () => Promise<Thing>): Promise<Thing> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      notFound();
    if (error instanceof TRPCError && error.code === "UNAUTHORIZED") redirect(await signInPath());
    throw error;
  }
}
