import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { byId, identifier, listOf, name, text } from "../db/schema-parts.ts";

/** The pages whose filters can be saved. */
export const viewPages = ["subscriptions", "tasks", "deliveries", "contracts"] as const;
export type ViewPage = (typeof viewPages)[number];

/** How many one user can save. */
export const maxViews = 200;

export const savedViewSchema = z.object({
  id: identifier,
  page: z.enum(viewPages),
  name: z.string(),
  filters: z.string(),
  isShared: z.boolean(),
  owner: userReference,
  isMine: z.boolean(),
});
export type SavedView = z.output<typeof savedViewSchema>;
export const savedViewListSchema = listOf(savedViewSchema);

export const listViewsInput = z.strictObject({ page: z.enum(viewPages) });

export const saveViewInput = z.strictObject({
  page: z.enum(viewPages),
  name,
  filters: text(2000).regex(/^[^#?\s]*$/, "must be the parameters of a URL"),
  isShared: z.boolean().default(false),
});
export type SaveView = z.output<typeof saveViewInput>;

export const deleteViewInput = byId;
