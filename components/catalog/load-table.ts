import "server-only";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { pathHeader } from "@/server/request-headers.ts";
import { api, orNotFound } from "../trpc/server.tsx";
import { namesInPath } from "./table-href.ts";

/**
 * The table in the page's URL, loaded once per request; shows the not-found page if there is none. The names are read
 * from the URL itself: Next passes route parameters sometimes decoded and sometimes not, which is ambiguous for names
 * that contain a percent sign.
 */
export const loadTable = cache(async () => {
  const name = namesInPath((await headers()).get(pathHeader) ?? "");
  if (!name) notFound();
  await orNotFound(() => api.catalog.table(name));
  return name;
});
