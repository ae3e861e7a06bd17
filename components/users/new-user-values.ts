import type { AccessValues } from "./access-values.ts";

/** The form values for a new user. */
export type NewUserValues = { name: string; email: string; password: string } & AccessValues;
