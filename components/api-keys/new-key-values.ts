import type { Scope } from "@/server/auth/schema.ts";
import type { Expiry } from "./expiry.ts";

/** The form values for a new key. */
export type NewKeyValues = {
  name: string;
  /** The service account that owns it; empty: you. */
  owner: string;
  scope: Scope;
  expiry: Expiry;
  /** The selected date, as yyyy-mm-dd. */
  day: string;
  isLimited: boolean;
  projectIds: number[];
  /** Addresses and CIDRs, separated by commas or spaces; empty: from anywhere. */
  networks: string;
};
