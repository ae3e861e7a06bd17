import { openApiDocument } from "@/server/rest/openapi.ts";

export const dynamic = "force-dynamic";

export function GET(): Response {
  return Response.json(openApiDocument(), { headers: { "cache-control": "no-cache" } });
}
