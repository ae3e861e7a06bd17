import "server-only";
import { cache } from "react";
import { api, orNotFound } from "../trpc/server.tsx";
import { firstOf } from "./first-problems.ts";

/** The incident in the page's URL, loaded once per request; shows the not-found page if there is none. */
export const loadIncident = cache((id: string) =>
  orNotFound(() => api.incidents.get(firstOf(/^[1-9]\d*$/.test(id) ? Number(id) : 0))),
);
