import "server-only";
import { cache } from "react";
import { api, orNotFound } from "../trpc/server.tsx";

/** The finding that a page's address names, once per request; the not-found page when there is none. */
export const loadFinding = cache((id: string) =>
  orNotFound(() => api.findings.get({ id: /^[1-9]\d*$/.test(id) ? Number(id) : 0 })),
);
