import { dialectOf } from "./dialects/dialects.ts";
import type { Kind } from "./kinds.ts";

type Given = { password?: string | undefined; ssl?: boolean | undefined };

/**
 * Why a password cannot be sent as the connection is; null if it can. Trino takes one only over TLS. An omitted `ssl` is
 * the kind's default.
 */
export function passwordProblem(kind: Kind, { password, ssl }: Given): string | null {
  const facts = dialectOf(kind)?.connection;
  const isRefused = facts?.passwordNeedsTls && !(ssl ?? facts.encryptsByDefault);
  return password && isRefused ? "requires an encrypted connection (TLS)" : null;
}
