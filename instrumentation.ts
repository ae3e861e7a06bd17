import type { Instrumentation } from "next";
import { pageServices } from "./server/process/page-services.ts";

/** Called by Next for a page that could not be rendered, of which it says nothing itself (`quiet`). */
export const onRequestError: Instrumentation.onRequestError = (error, _request, { routePath }) =>
  pageServices().pageFailed(error, routePath);
