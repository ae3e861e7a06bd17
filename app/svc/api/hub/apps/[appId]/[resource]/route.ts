import { handleRest } from "@/server/rest/dispatch.ts";
import { handleServerCall } from "@/server/rest/hub.ts";

type RouteContext = { params: Promise<{ appId: string; resource: string }> };

export async function POST(request: Request, { params }: RouteContext): Promise<Response> {
  const { appId, resource } = await params;
  return handleServerCall(request, appId, resource);
}

export {
  handleRest as DELETE,
  handleRest as GET,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as PUT,
};
