import { z } from "zod";

/** What a client of the Pusher protocol is made with: `wsHost`, `wsPort` or `wssPort`, `wsPath`, `forceTLS`. */
export const hubConfigSchema = z
  .object({
    key: z.string(),
    host: z.string(),
    port: z.int(),
    path: z.string().meta({ description: "What stands before /app/{key}; empty for a service elsewhere" }),
    tls: z.boolean(),
  })
  .meta({ id: "HubConfig" });

export type HubConfig = z.infer<typeof hubConfigSchema>;

/** A socket's name, as the hub gave it. */
export const socketId = z.string().regex(/^\d{1,20}\.\d{1,20}$/, "must be a socket_id, as 1234.5678");
