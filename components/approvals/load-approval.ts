import "server-only";
import { cache } from "react";
import { api, orNotFound } from "../trpc/server.tsx";

/** The change that a page's address names, once per request; the not-found page when there is none. */
export const loadApproval = cache((id: string) =>
  orNotFound(() => api.approvals.get({ id: /^[1-9]\d*$/.test(id) ? Number(id) : 0 })),
);
