import { z } from "zod";
import { flag, isNetwork, wholeNumber } from "./values.ts";

/** The number of proxies, or their networks: `2`, or `10.0.0.0/8, 192.0.2.1`. */
const trustedProxies = z
  .string()
  .refine(
    (text) => /^[1-9]$/.test(text) || text.split(",").every((each) => isNetwork(each.trim())),
    "must be a number of proxies from 1 to 9, or addresses and CIDRs separated by commas",
  );

/** How the process is reached, where it keeps its data, and how it stops. */
export const processSettings = {
  PORT: z.coerce.number().int().min(1).max(65535).default(3000).describe("The port to serve on."),
  HOST: z.string().default("127.0.0.1").describe("The address to listen on."),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("The address at which users reach the service. Defaults to http://localhost:PORT."),
  DATA_DIR: z.string().default(".data").describe("Where the embedded PostgreSQL and generated secrets live."),
  DEMO: flag.optional().describe("on|off: load the demo project. On by default with the embedded database."),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      "The proxies whose X-Forwarded-For is trusted: how many are in front of the service, or their addresses and CIDRs.",
    ),
  STOP_DELAY_S: wholeNumber(0, 300, 0).describe(
    "Seconds between SIGTERM and shutdown in which /ready fails but requests are still served, so that a load balancer can drain the process.",
  ),
};
