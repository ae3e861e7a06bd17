/** Every table, for migrations. Services import their own domain's `tables.ts`, never this file. */
export * from "../actors/tables.ts";
export * from "../api-keys/tables.ts";
export * from "../audit/tables.ts";
export * from "../auth/tables.ts";
export * from "../catalog/tables.ts";
export * from "../data-quality/tables.ts";
export * from "../data-sources/tables.ts";
export * from "../edits/tables.ts";
export * from "../findings/tables.ts";
export * from "../jobs/tables.ts";
export * from "../notifications/tables.ts";
export * from "../projects/tables.ts";
export * from "../queries/tables.ts";
export * from "../settings/tables.ts";
export * from "../subscriptions/tables.ts";
export * from "../tasks/tables.ts";
export * from "./tables.ts";
