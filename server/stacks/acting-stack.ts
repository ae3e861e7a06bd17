import type { Principal } from "../auth/principal.ts";
import { Problem } from "../errors.ts";
import { type ActingStack, actingStack } from "./schema.ts";

/** The request headers by which `plumbline apply` says for which stack, and from which file, it changes something. */
export const stackHeader = "plumbline-stack";
export const pathHeader = "plumbline-path";

/**
 * The stack that a REST call acts for. Only a key can act for one: nobody in a browser edits what a repository owns by
 * mistake. The path is percent-encoded, since headers are Latin. Throws invalid.
 */
export function actingStackIn(headers: Headers, principal: Principal | null): { actingStack?: ActingStack } {
  const [stack, path] = [headers.get(stackHeader), headers.get(pathHeader)];
  if (stack === null && path === null) return {};
  if (principal?.kind === "User") throw invalid(stackHeader, "is only for API keys and JWTs");
  const read = actingStack.safeParse({ stack, path: decoded(path) });
  if (read.success) return { actingStack: read.data };
  const issue = read.error.issues[0];
  throw invalid(issue?.path[0] === "stack" ? stackHeader : pathHeader, issue?.message ?? "is not valid");
}

function decoded(path: string | null): string | null {
  try {
    return path === null ? null : decodeURIComponent(path);
  } catch {
    return null;
  }
}

const invalid = (header: string, message: string) =>
  new Problem("invalid", `The header ${header} ${message}`, { errors: [{ path: header, message }] });
