import { z } from "zod";

/** The options of a Pusher client: `wsHost`, `wsPort` or `wssPort`, `wsPath`, `forceTLS`. */
export const hubConfigSchema = z
  .object({
    key: z.string(),
    host: z.string(),
    port: z.int(),
    path: z.string().meta({ description: "The path before /app/{key}; empty for an external service" }),
    tls: z.boolean(),
  })
  .meta({ id: "HubConfig" });

export type HubConfig = z.infer<typeof hubConfigSchema>;

/** A socket's id, as assigned by the hub. */
export const socketId = z.string().regex(/^\d{1,20}\.\d{1,20}$/, "must be a socket_id, as 1234.5678");
