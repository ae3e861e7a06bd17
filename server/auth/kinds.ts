/** What users and keys may be. Pages load this file without Zod. */

export const roles = ["Viewer", "Editor", "Admin"] as const;

export const scopes = ["Read", "Execute", "Admin"] as const;
