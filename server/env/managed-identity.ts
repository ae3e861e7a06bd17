import { z } from "zod";

/** `shop.database.windows.net, 7:sales.database.windows.net/orders`: hosts, with a database and a project's ID if named. */
const identityServer = /^(?:(\d{1,9}):)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?:\/([^/\s]+))?$/i;
const identityServers = z
  .string()
  .transform((text) => text.split(",").map((each) => each.trim()))
  .refine(
    (servers) => servers.every((each) => identityServer.test(each)),
    "must look like shop.database.windows.net, 7:sales.database.windows.net/orders",
  )
  .transform((servers) =>
    servers.map((each) => {
      const [, project, host = "", database] = identityServer.exec(each) ?? [];
      return { projectId: project === undefined ? null : Number(project), host, database: database ?? null };
    }),
  );

/** Where data sources may sign in with the identity of this machine. */
export const managedIdentitySettings = {
  MANAGED_IDENTITY_SERVERS: identityServers
    .default([])
    .describe(
      "Servers, separated by commas, at which data sources of kind SQL Server may sign in with the managed identity of this machine: a host, or host/database; with 7: in front only for the data sources of project 7. None by default.",
    ),
  IDENTITY_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "With IDENTITY_HEADER: where the managed identity's tokens come from, as Azure App Service and Container Apps set it. Without, from a virtual machine's metadata service.",
    ),
  IDENTITY_HEADER: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
    .optional()
    .describe("What is sent to IDENTITY_ENDPOINT, as Azure sets it."),
};
