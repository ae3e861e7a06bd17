import { Cog, IdCard, KeyRound, type LucideIcon, UserRound, UserRoundX } from "@/components/ui/icons.tsx";
import type { PrincipalKind } from "./audit-filter.ts";

/** The name and icon of each kind of principal. */
export const principalLooks: Record<PrincipalKind, { icon: LucideIcon; word: string }> = {
  User: { icon: UserRound, word: "Person" },
  ApiKey: { icon: KeyRound, word: "API key" },
  Jwt: { icon: IdCard, word: "Token" },
  System: { icon: Cog, word: "The service itself" },
  Anonymous: { icon: UserRoundX, word: "Not signed in" },
};
