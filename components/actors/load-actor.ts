import "server-only";
import { cache } from "react";
import { api, orNotFound } from "../trpc/server.tsx";

const idIn = (text: string) => (/^[1-9]\d*$/.test(text) ? Number(text) : 0);

/** The actor in the page's URL, loaded once per request; shows the not-found page if there is none. */
export const loadActor = cache((id: string) => orNotFound(() => api.actors.get({ id: idIn(id) })));

/** The same for a plan. */
export const loadPlan = cache((id: string) => orNotFound(() => api.actors.plan({ id: idIn(id) })));
