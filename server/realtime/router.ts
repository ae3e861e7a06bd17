import { procedureFor, router } from "../trpc.ts";
import { clientConfig } from "./client-config.ts";
import { hubConfigSchema } from "./schema.ts";

export const hubRouter = router({
  config: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/hub/config",
        tag: "Real-time hub",
        summary: "Connection details for Pusher protocol clients",
        description:
          "WebSocket at {path}/app/{key}. A client signs in with the response of POST /hub/user-auth and receives its user's events.",
      },
    })
    .output(hubConfigSchema)
    .query(() => clientConfig()),
});
