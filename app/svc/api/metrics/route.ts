import { handleRest } from "@/server/rest/dispatch.ts";
import { handleMetrics } from "@/server/rest/metrics.ts";

export {
  handleMetrics as GET,
  handleRest as DELETE,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as POST,
  handleRest as PUT,
};
