import { showPicture } from "../notifications/service/show-picture.ts";
import { addressHeader } from "../request-headers.ts";
import { requestIdOf } from "./context.ts";
import { limitRequests } from "./request-limits.ts";
import { problemResponse } from "./rest/problem-response.ts";

/** The chart of a chat message. Whoever has the signed address sees it, and may keep it for a day. */
export async function handlePicture(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    await limitRequests({ principal: null, address: request.headers.get(addressHeader) ?? "" });
    const picture = await showPicture(new URL(request.url));
    return new Response(new Uint8Array(picture), {
      headers: {
        "content-type": "image/png",
        "cache-control": "private, max-age=86400",
        "x-request-id": requestId,
      },
    });
  } catch (error) {
    return problemResponse(error, requestId);
  }
}
