import { handleMetrics } from "@/server/rest/metrics.ts";

export const dynamic = "force-dynamic";

export { handleMetrics as GET };
