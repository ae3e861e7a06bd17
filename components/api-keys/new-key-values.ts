import type { Scope } from "@/server/auth/schema.ts";
import type { Expiry } from "./expiry.ts";

/** The form values for a new key. */
export type NewKeyValues = {
  name: string;
  /** `me`, or the ID of the service account that owns it. */
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
