import { Cog, IdCard, KeyRound, type LucideIcon, UserRound, UserRoundX } from "lucide-react";
import type { PrincipalKind } from "./audit-filter.ts";

/** What each kind of caller is called, and its icon. */
export const principalLooks: Record<PrincipalKind, { icon: LucideIcon; word: string }> = {
  User: { icon: UserRound, word: "Person" },
  ApiKey: { icon: KeyRound, word: "API key" },
  Jwt: { icon: IdCard, word: "Token" },
  System: { icon: Cog, word: "The service itself" },
  Anonymous: { icon: UserRoundX, word: "Not signed in" },
};
