import { grantableScopes } from "@/server/api-keys/grantable-scopes.ts";
import type { Role, Scope } from "@/server/auth/schema.ts";
import type { Choice } from "../ui/choice-list.tsx";

const hints: Record<Scope, string> = {
  Read: "Reads configuration, scores, and history. For dashboards and reports.",
  Execute: "Read, and runs evaluations and SQL against data sources. For pipelines.",
  Admin: "Everything its owner can do, including changes.",
};

/** The scopes a user with this role can give a key; each includes the ones before it. */
export function scopeChoices(role: Role): Choice<Scope>[] {
  return grantableScopes({ role, scopes: null }).map((scope) => ({
    value: scope,
    label: scope,
    hint: hints[scope],
  }));
}
