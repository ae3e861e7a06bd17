import { handleProtectedResource } from "@/server/mcp/discovery.ts";

export const dynamic = "force-dynamic";

export { handleProtectedResource as GET };
