import { z } from "zod";
import { identifier, momentOut, name, text } from "../db/schema-parts.ts";

export const kinds = ["PostgreSql", "MySql", "SqlServer", "RestApi"] as const;
export type Kind = (typeof kinds)[number];

/** The kinds that a data contract can target. */
export const databaseKinds = ["PostgreSql", "MySql", "SqlServer"] as const satisfies readonly Kind[];

const databaseConnection = z.strictObject({
  host: text(255).trim().min(1, "is required"),
  port: z.int().min(1).max(65535),
  database: text(128).min(1, "is required"),
  user: text(128).min(1, "is required"),
  ssl: z.boolean().default(false),
  trustServerCertificate: z.boolean().optional(),
});
const databaseConnectionInput = databaseConnection.extend({ password: text(1000).optional() });

export type DatabaseConnection = z.output<typeof databaseConnection>;
/** What is stored in the clear and shown: never a password. */
export type PublicConnection = DatabaseConnection;

export const dataSourceSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    kind: z.enum(kinds),
    connection: databaseConnection,
    hasPassword: z.boolean(),
    canWrite: z.boolean().nullable(),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "DataSource" });
export type DataSource = z.output<typeof dataSourceSchema>;

/** The kinds whose engine is there; the others are refused with their name. */
const supportedKind = z.enum(["PostgreSql", "MySql", "SqlServer"]);

export const createDataSourceInput = z.strictObject({
  projectId: identifier,
  name,
  kind: supportedKind,
  connection: databaseConnectionInput,
});

/** A password that is left out stays, unless host, port or user changed: then it is required. */
export const updateDataSourceInput = createDataSourceInput.omit({ projectId: true, kind: true }).extend({
  id: identifier,
});

/** With `dataSourceId`, a password that is left out is the stored one (if host, port and user are as stored). */
export const testConnectionInput = z.strictObject({
  projectId: identifier.optional(),
  name: name.optional(),
  kind: supportedKind,
  connection: databaseConnectionInput,
  dataSourceId: identifier.optional(),
});

export const connectionTestSchema = z
  .object({
    ok: z.boolean(),
    serverVersion: z.string().optional(),
    canWrite: z.boolean().optional(),
    message: z.string().optional(),
  })
  .meta({ id: "ConnectionTest" });
export type ConnectionTest = z.output<typeof connectionTestSchema>;

export const columnSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    nullable: z.boolean(),
    comment: z.string().nullable(),
    isPrimaryKey: z.boolean(),
    references: z
      .object({ schemaName: z.string(), tableName: z.string(), columnName: z.string() })
      .optional(),
  })
  .meta({ id: "Column" });

export const tableSchema = z
  .object({
    tableName: z.string(),
    kind: z.enum(["Table", "View"]),
    rowEstimate: z.number().nullable(),
    comment: z.string().nullable(),
    columns: z.array(columnSchema),
  })
  .meta({ id: "Table" });

export const databaseSchemaSchema = z
  .object({
    items: z.array(z.object({ schemaName: z.string(), tables: z.array(tableSchema) })),
    readAt: momentOut,
  })
  .meta({ id: "DatabaseSchema" });
/** A database's schemas, tables and columns, as a connector finds them. */
export type DatabaseSchema = { items: z.output<typeof databaseSchemaSchema>["items"] };

export const listDataSourcesInput = z.strictObject({ projectId: identifier.optional() });
