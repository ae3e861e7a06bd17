import { publicUrl } from "../../env.ts";

/** A page of the service, as it is reached from outside. */
export const addressOf = (path: string) => new URL(`${publicUrl()}${path}`).href;
