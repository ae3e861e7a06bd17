import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import {
  databaseName,
  description,
  identifier,
  momentIn,
  momentOut,
  name,
  record,
  text,
} from "../db/schema-parts.ts";

/** A function as people name it: alone, or after its schema. Engines compare without case. */
const functionName = text(257)
  .trim()
  .toLowerCase()
  .regex(/^[^\s.,;()"'`[\]]+(\.[^\s.,;()"'`[\]]+)?$/, "must be the name of a function, or schema.name");
const allowedFunctions = z
  .array(functionName)
  .max(200)
  .transform((names) => [...new Set(names)])
  .meta({
    description:
      "Functions that SQL may call here beyond the safe built-in ones, as `name` or `schema.name`; case does not matter. An update that leaves them out keeps them.",
  });

export const kinds = ["PostgreSql", "MySql", "SqlServer", "RestApi"] as const;
export type Kind = (typeof kinds)[number];

/** The kinds that a data contract can target. */
export const databaseKinds = ["PostgreSql", "MySql", "SqlServer"] as const satisfies readonly Kind[];

const databaseConnection = z.strictObject({
  host: text(255).trim().min(1, "is required"),
  port: z.int().min(1).max(65535),
  database: text(128).min(1, "is required"),
  user: text(128).min(1, "is required"),
  ssl: z.boolean(),
  trustServerCertificate: z.boolean().optional(),
});
const databaseConnectionInput = databaseConnection.extend({
  ssl: z.boolean().optional().meta({ description: "Default: true for SQL Server, else false" }),
  password: text(1000).optional(),
});

export type DatabaseConnection = z.output<typeof databaseConnection>;

/** Set by whoever sends the request, or about the connection rather than the request. */
const ownHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i;
const headerValue = text(4000).regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be one line of Latin characters");
const headerFields = record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is no name of a header"),
  headerValue,
)
  .refine((headers) => Object.keys(headers).length <= 50, "must be at most 50")
  .refine((headers) => !Object.keys(headers).some((name) => ownHeaders.test(name)), {
    message: "must not hold a header that the service sets itself, such as Host or Content-Length",
  })
  .refine((headers) => new Set(namesOf(headers)).size === namesOf(headers).length, {
    message: "must not hold a header twice",
  });

const namesOf = (headers: Record<string, string>) => Object.keys(headers).map((name) => name.toLowerCase());

const baseUrl = text(2000)
  .trim()
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { protocol, username, password, search, hash } = new URL(address);
    return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
  }, "must be an http or https address without user, password, query and fragment");

const restConnection = z.strictObject({
  baseUrl,
  headers: headerFields
    .refine((headers) => !namesOf(headers).some((name) => /^(authorization|cookie)$/.test(name)), {
      message: "must not hold Authorization or Cookie: they belong into secretHeaders",
    })
    .default({}),
});
const restConnectionInput = restConnection.extend({ secretHeaders: headerFields.optional() }).refine(
  ({ headers, secretHeaders = {} }) => {
    const secret = new Set(namesOf(secretHeaders));
    return !namesOf(headers).some((name) => secret.has(name));
  },
  { path: ["secretHeaders"], message: "must not hold a header that headers holds as well" },
);

export type RestConnection = z.output<typeof restConnection>;
/** What is stored in the clear and shown: never a password or a secret header. */
export type PublicConnection = DatabaseConnection | RestConnection;
/** As it is sent: a secret that is left out stays, or there is none. */
export type GivenConnection = z.output<typeof databaseConnectionInput> | z.output<typeof restConnectionInput>;

export const dataSourceSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    kind: z.enum(kinds),
    connection: z.union([databaseConnection, restConnection]),
    hasPassword: z
      .boolean()
      .meta({ description: "Whether a secret is stored: a password, or secret headers" }),
    canWrite: z.boolean().nullable(),
    allowedFunctions: z.array(z.string()),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "DataSource" });
export type DataSource = z.output<typeof dataSourceSchema>;

/** The kinds whose engine is there; the others are refused with their name. */
const supportedKind = z.enum(["PostgreSql", "MySql", "SqlServer", "RestApi"]);

const connectionInput = z.union([databaseConnectionInput, restConnectionInput]);

const fitsKind = ({ kind, connection }: { kind: Kind; connection: GivenConnection }) =>
  (kind === "RestApi") === isRest(connection);
const mustFit = { path: ["connection"], message: "must be the connection of this kind of data source" };

/** Whether it leads to a REST API, and not to a database. */
export const isRest = <C extends object>(connection: C): connection is Extract<C, { baseUrl: string }> =>
  "baseUrl" in connection;

export const createDataSourceInput = z
  .strictObject({
    projectId: identifier,
    name,
    kind: supportedKind,
    connection: connectionInput,
    allowedFunctions: allowedFunctions.optional(),
  })
  .refine(fitsKind, mustFit);

/**
 * A password that is left out stays, unless host, port or user changed: then it is required. So do secret headers,
 * unless the base URL changed.
 */
export const updateDataSourceInput = z.strictObject({
  id: identifier,
  name,
  connection: connectionInput,
  allowedFunctions: allowedFunctions.optional(),
});

/** With `dataSourceId`, a secret that is left out is the stored one, if it would be told to nobody else. */
export const testConnectionInput = z
  .strictObject({
    projectId: identifier.optional(),
    name: name.optional(),
    kind: supportedKind,
    connection: connectionInput,
    dataSourceId: identifier.optional(),
  })
  .refine(fitsKind, mustFit);

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

/** The descriptions of one schema, or of one table and its columns; all of them where they are left out. */
export const listDescriptionsInput = z.strictObject({
  id: identifier,
  schemaName: databaseName.optional(),
  tableName: databaseName.optional(),
});

export const describeInput = z.strictObject({
  id: identifier,
  schemaName: databaseName,
  tableName: databaseName,
  columnName: databaseName
    .nullish()
    .meta({ description: "Left out, it is the table itself that is described" }),
  description: description
    .trim()
    .min(1, "is required; null removes it")
    .nullable()
    .meta({ description: "null removes it" }),
  updatedAt: momentIn
    .nullish()
    .meta({ description: "Of the description that this one replaces, null where there was none" }),
});

export const descriptionSchema = z
  .object({
    schemaName: z.string(),
    tableName: z.string(),
    columnName: z.string().nullable().meta({ description: "null: it is the table that is described" }),
    description: z.string().nullable(),
    updatedAt: momentOut.nullable(),
    updatedBy: userReference.nullable(),
  })
  .meta({ id: "TableDescription" });
