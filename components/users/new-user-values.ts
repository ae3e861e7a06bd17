import type { Role } from "@/server/auth/schema.ts";

/** The form values for a new user. */
export type NewUserValues = { name: string; email: string; role: Role; password: string };
