import { z } from "zod";
import { text } from "../../db/schema-parts.ts";
import { caCertificate } from "./parts.ts";
import { checkSqlServer, sqlServerOptions } from "./sql-server.ts";

/** A database behind a server, of any kind. */
export const databaseConnection = z.strictObject({
  host: text(255).trim().min(1, "is required"),
  port: z.int().min(1).max(65535),
  database: text(128).min(1, "is required").meta({
    description:
      "Of Trino: the catalog, or `catalog/schema` with the schema of tables that are named without one",
  }),
  user: text(128).min(1, "is required"),
  ssl: z.boolean(),
  trustServerCertificate: z.boolean().optional(),
  caCertificate: caCertificate.optional(),
  sqlServer: sqlServerOptions.optional(),
});
export const databaseConnectionInput = databaseConnection
  .extend({
    ssl: z
      .boolean()
      .optional()
      .meta({ description: "Default: true for SQL Server and Trino, and with a CA certificate; else false" }),
    password: text(1000).optional(),
  })
  .refine(
    ({ caCertificate, ssl, trustServerCertificate }) =>
      !caCertificate || (ssl !== false && !trustServerCertificate),
    { path: ["caCertificate"], message: "requires TLS and a certificate that is verified" },
  )
  .superRefine(checkSqlServer);

export type DatabaseConnection = z.output<typeof databaseConnection>;
