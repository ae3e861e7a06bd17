import { grantableScopes } from "@/server/api-keys/grantable-scopes.ts";
import type { Role, Scope } from "@/server/auth/schema.ts";
import type { Choice } from "../ui/choice-list.tsx";

const hints: Record<Scope, string> = {
  Read: "Sees configuration, scores and history. For dashboards and reports.",
  Execute: "Read, and runs evaluations and SQL against data sources. For pipelines.",
  Admin: "All that you may do yourself, changes included.",
};

/** The scopes that somebody of this role can give to a key, each holding those before it. */
export function scopeChoices(role: Role): Choice<Scope>[] {
  return grantableScopes({ role, scopes: null }).map((scope) => ({
    value: scope,
    label: scope,
    hint: hints[scope],
  }));
}
