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
        summary: "Where clients of the Pusher protocol connect",
        description:
          "WebSocket at {path}/app/{key}. A client signs in with what POST /hub/user-auth answers, and receives the events of its user.",
      },
    })
    .output(hubConfigSchema)
    .query(() => clientConfig()),
});
