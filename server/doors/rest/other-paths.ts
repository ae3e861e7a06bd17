import { isEmbedded } from "../../jobs/client.ts";
import type { Found } from "./routes.ts";
import { sessionMethods } from "./session-paths.ts";

/**
 * What is below /svc/api besides procedures, with the allowed methods, so that any other method gets a 405.
 * `isAnonymous` if no authentication is needed.
 */
type OtherPath = { methods: readonly string[]; isAnonymous: boolean };

const hub: Record<string, OtherPath> = {
  "/hub/user-auth": { methods: ["POST"], isAnonymous: false },
  "/hub/apps/{appId}/events": { methods: ["POST"], isAnonymous: true },
  "/hub/apps/{appId}/batch_events": { methods: ["POST"], isAnonymous: true },
};

const metrics: Record<string, OtherPath> = { "/metrics": { methods: ["GET"], isAnonymous: false } };

/** The endpoint for Inngest, if it is configured. */
const inngest: Record<string, OtherPath> = {
  "/inngest": { methods: ["GET", "POST", "PUT"], isAnonymous: true },
};

const session: Record<string, OtherPath> = Object.fromEntries(
  Object.entries(sessionMethods).map(([path, methods]) => [path, { methods, isAnonymous: true }]),
);

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
const compiled = (paths: Record<string, OtherPath>) =>
  Object.entries(paths).map(([path, other]) => ({ pattern: patternOf(path), other }));

const always = compiled({ ...session, ...hub, ...metrics });
const withInngest = [...always, ...compiled(inngest)];

/** The matching procedure, and what else is at the path. */
export function withOtherMethods(path: string, found: Found): Found {
  const all = isEmbedded() ? always : withInngest;
  const other = all.find(({ pattern }) => pattern.test(path))?.other;
  if (!other) return found;
  const isAnonymous = other.isAnonymous && (found.isAnonymous || found.methods.length === 0);
  return { ...found, methods: [...found.methods, ...other.methods].sort(), isAnonymous };
}
