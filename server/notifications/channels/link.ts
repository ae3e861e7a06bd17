import { publicUrl } from "../../env.ts";

/** The public URL of a page. */
export const addressOf = (path: string) => new URL(`${publicUrl()}${path}`).href;
