import "server-only";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { pathHeader } from "@/server/auth/principal.ts";
import { api, orNotFound } from "../trpc/server.tsx";
import { namesInPath } from "./table-href.ts";

/**
 * The table that the page's address names, once per request; the not-found page when there is none. The names are
 * read from the address itself: Next hands a page's parameters out decoded once or not at all, and a name with a
 * percent sign does not tell which.
 */
export const loadTable = cache(async () => {
  const name = namesInPath((await headers()).get(pathHeader) ?? "");
  if (!name) notFound();
  await orNotFound(() => api.catalog.table(name));
  return name;
});
