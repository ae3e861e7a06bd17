import "server-only";
import { cache } from "react";
import { api, orNotFound } from "../trpc/server.tsx";

/** The rule template in the page's URL, loaded once per request; shows the not-found page if there is none. */
export const loadTemplate = cache((id: string) =>
  orNotFound(() => api.dataQuality.template({ id: /^[1-9]\d*$/.test(id) ? Number(id) : 0 })),
);
