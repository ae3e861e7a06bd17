import { z } from "zod";
import { text } from "../../db/schema-parts.ts";

/** What connections to SQL Server have in addition to those to other servers. */
export const sqlServerOptions = z
  .strictObject({
    readOnlyIntent: z.boolean().optional().meta({
      description: "ApplicationIntent=ReadOnly: an availability group leads to a readable secondary",
    }),
    strictEncryption: z
      .boolean()
      .optional()
      .meta({ description: "TDS 8.0: TLS from the first byte on, with a certificate that is verified" }),
    domain: text(128)
      .trim()
      .regex(/^[\w.-]+$/, "must be the name of a Windows domain")
      .optional()
      .meta({ description: "Signs in by NTLM, with a Windows account of this domain" }),
    entraTenant: text(128)
      .trim()
      .regex(/^[\w.-]+$/, "must be the ID or a domain of a Microsoft Entra tenant")
      .optional()
      .meta({
        description:
          "Signs in with a service principal of this Microsoft Entra tenant: `user` is its client ID, `password` its client secret",
      }),
    managedIdentity: z.boolean().optional().meta({
      description:
        "Signs in with a managed identity of the machine that Plumbline runs on: `user` is its client ID, or `system` for the system-assigned one, and there is no password. Only at servers that an operator has listed in MANAGED_IDENTITY_SERVERS",
    }),
  })
  .refine(({ domain, entraTenant }) => domain === undefined || entraTenant === undefined, {
    path: ["entraTenant"],
    message: "must be left out if there is a Windows domain",
  })
  .refine(
    ({ domain, entraTenant, managedIdentity }) =>
      !managedIdentity || (domain === undefined && entraTenant === undefined),
    {
      path: ["managedIdentity"],
      message: "must be left out if there is a Windows domain or an Entra tenant",
    },
  )
  .meta({ description: "Only for SQL Server" });

type Reached = {
  user: string;
  password?: string | undefined;
  ssl?: boolean | undefined;
  trustServerCertificate?: boolean | undefined;
  caCertificate?: string | undefined;
  sqlServer?: z.output<typeof sqlServerOptions> | undefined;
};

/** Refuses options that do not fit how the server is reached, and who signs in to it. */
export function checkSqlServer(
  { sqlServer, ssl, trustServerCertificate, caCertificate, user, password }: Reached,
  context: z.RefinementCtx,
): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  const isVerified = ssl !== false && !trustServerCertificate;
  // A token is as good as a password, for an hour.
  for (const option of ["strictEncryption", "entraTenant"] as const)
    if (sqlServer?.[option] && !isVerified)
      refuse(["sqlServer", option], "requires TLS and a certificate that is verified");
  if (!sqlServer?.managedIdentity) return;
  if (!isVerified || caCertificate)
    refuse(
      ["sqlServer", "managedIdentity"],
      "requires TLS and a certificate that is verified by the well-known CAs",
    );
  if (password) refuse(["password"], "must be left out with a managed identity");
  if (!isIdentity(user)) refuse(["user"], "must be the client ID of a managed identity, or system");
}

/** A user-assigned identity by its client ID, or the system-assigned one. */
const isIdentity = (user: string) => user === systemAssigned || z.guid().safeParse(user).success;
export const systemAssigned = "system";
