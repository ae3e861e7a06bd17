import "server-only";
/**
 * The same procedures on the server, as the current user.
 *
 *   await api.projects.list.prefetch();
 *   return <HydrateClient><ProjectsTable /></HydrateClient>;
 *
 * Await the prefetch, so that the page arrives complete. Anything slow or unreliable, such as an external database, is
 * left to the browser, with `useQuery` and its own ErrorState; a failed streaming prefetch would lose its error.
 */
import { createHydrationHelpers } from "@trpc/react-query/rsc";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { AppRouter } from "@/server/app-router.ts";
import { pageServices } from "@/server/process/page-services.ts";
import { pathHeader } from "@/server/request-headers.ts";
import { createQueryClient } from "./query-client.ts";

const getQueryClient = cache(() => createQueryClient());
const getContext = cache(async () => pageServices().createContext(await headers()));

type Caller = ReturnType<AppRouter["createCaller"]>;
type Call = (input: unknown) => Promise<unknown>;

const getCaller = cache(
  () => pageServices().createCaller(getContext) as unknown as Record<string, Record<string, Call>>,
);
const getCalls = cache(() => new Map<string, Promise<unknown>>());

/** Once per request: a page's title, the page itself, and what it hands to the browser ask for the same. */
function callOnce(router: string, procedure: string, input: unknown): Promise<unknown> {
  const calls = getCalls();
  const key = JSON.stringify([router, procedure, input]);
  const call = calls.get(key) ?? getCaller()[router]?.[procedure]?.(input);
  if (!call) throw new Error(`There is no procedure ${router}.${procedure}`);
  calls.set(key, call);
  return call;
}

/** Resolved at the first call: during the build, there is no process. */
const caller = new Proxy({} as Caller, {
  get: (_, router: string) =>
    new Proxy({}, { get: (_, procedure: string) => (input: unknown) => callOnce(router, procedure, input) }),
});

export const { trpc: api, HydrateClient } = createHydrationHelpers<AppRouter>(caller, getQueryClient);

/** Whether anyone is signed in. Only for navigation: pages and procedures do their own authorization. */
export async function isSignedIn(): Promise<boolean> {
  return (await getContext()).principal !== null;
}

/** Whether the user must set up a second factor before anything else. Only for navigation, too. */
export async function lacksSecondFactor(): Promise<boolean> {
  return (await getContext()).principal?.lacksSecondFactor ?? false;
}

/** The sign-in page, with the way back to the requested page. */
export async function signInPath(): Promise<string> {
  const here = (await headers()).get(pathHeader)?.replace(/[?&]_rsc=[^&]*/, "");
  return here && here !== "/" ? `/sign-in?next=${encodeURIComponent(here)}` : "/sign-in";
}

/**
 * The page's main object. Shows the not-found page if it does not exist or the user may not see it, and redirects to
 * sign-in if the session has expired since the console was loaded.
 */
export async function orNotFound<Thing>(load: () => Promise<Thing>): Promise<Thing> {
  try {
    return await load();
  } catch (error) {
    const failure = pageServices().failureOf(error);
    if (failure === "not-found") notFound();
    if (failure === "signed-out") redirect(await signInPath());
    throw error;
  }
}
