import "server-only";
import { cache } from "react";
import { api, orNotFound } from "../trpc/server.tsx";

const idIn = (text: string) => (/^[1-9]\d*$/.test(text) ? Number(text) : 0);

/** The actor that a page's address names, once per request; the not-found page when there is none. */
export const loadActor = cache((id: string) => orNotFound(() => api.actors.get({ id: idIn(id) })));

/** The plan that a page's address names, likewise. */
export const loadPlan = cache((id: string) => orNotFound(() => api.actors.plan({ id: idIn(id) })));
