import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { socketId } from "../../realtime/schema.ts";

/** Endpoints of the Pusher protocol, for the OpenAPI document; these are not procedures. */
const tags = ["Real-time hub"];
const answer = (schema: z.ZodType) => ({ description: "OK", content: { "application/json": { schema } } });
const refused = (description: string) => ({ description });

const event = { name: z.string(), data: z.string() };
const signature = z.object({
  auth_key: z.string(),
  auth_timestamp: z.string(),
  auth_version: z.literal("1.0"),
  body_md5: z.string(),
  auth_signature: z.string(),
});

const published = (operationId: string, summary: string, body: z.ZodType) => ({
  post: {
    operationId,
    tags,
    summary,
    description:
      "For publishers with the app's secret. Requests are signed as in Pusher's HTTP API; its official SDKs work with this service's host and /svc/api/hub. The only channels are those of users, `#server-to-user-<id>`.",
    security: [],
    requestParams: { path: z.object({ appId: z.string() }), query: signature },
    requestBody: { required: true, content: { "application/json": { schema: body } } },
    responses: {
      "200": answer(z.object({})),
      "400": refused("The body is not an event for users"),
      "401": refused("The signature, its key, or its timestamp is invalid"),
      "404": refused("Another app, or an external service is configured"),
      "413": refused("The event is too large"),
      "429": refused("Too many requests"),
    },
  },
});

export const hubPaths: ZodOpenApiPathsObject = {
  "/hub/user-auth": {
    post: {
      operationId: "hub.userAuth",
      tags,
      summary: "Authorize a hub connection for `pusher:signin`",
      security: [{ session: [] }],
      requestBody: {
        required: true,
        content: { "application/x-www-form-urlencoded": { schema: z.object({ socket_id: socketId }) } },
      },
      responses: {
        "200": answer(z.object({ auth: z.string(), user_data: z.string() })),
        "400": refused("The socket_id is missing or invalid"),
        "401": refused("No session"),
        "403": refused("An API key, or a page from another site"),
        "413": refused("The form is too large"),
        "415": refused("Neither a form nor JSON"),
        "429": refused("Too many requests"),
      },
    },
  },
  "/hub/apps/{appId}/events": published(
    "hub.events",
    "Send an event to users",
    z.object({ ...event, channels: z.array(z.string()) }),
  ),
  "/hub/apps/{appId}/batch_events": published(
    "hub.batchEvents",
    "Send up to ten events to users",
    z.object({ batch: z.array(z.object({ ...event, channel: z.string() })) }),
  ),
};
