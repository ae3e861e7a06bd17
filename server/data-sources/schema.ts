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
  timezone,
} from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import { costUnits } from "./cost.ts";
import { isReadable } from "./engines/files/formats.ts";
import { costUnitOf, isBigQuery, isFiles, isRest, isServer, isSnowflake, type Kind, kinds } from "./kinds.ts";
import { accountProblem } from "./snowflake-address.ts";

/** A function name, optionally qualified by schema. Engines compare case-insensitively. */
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
      "Functions that SQL may call here in addition to the safe built-in ones, as `name` or `schema.name`; case-insensitive. An update that omits them keeps them.",
  });

const certificates = /^(-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** What the certificates say is checked by the server, which can read them (service/ca-certificates.ts). */
const caCertificate = text(300_000)
  .trim()
  .regex(certificates, "must be certificates in PEM format: -----BEGIN CERTIFICATE----- and so on")
  .meta({
    description:
      "The CA certificates, in PEM format, that the server's certificate must be issued by, in place of the well-known ones",
  });

const sqlServerOptions = z
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

const databaseConnection = z.strictObject({
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
const databaseConnectionInput = databaseConnection
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
  .refine(
    ({ sqlServer, ssl, trustServerCertificate }) =>
      !sqlServer?.strictEncryption || (ssl !== false && !trustServerCertificate),
    {
      path: ["sqlServer", "strictEncryption"],
      message: "requires TLS and a certificate that is verified",
    },
  )
  .refine(
    // A token is as good as a password, for an hour.
    ({ sqlServer, ssl, trustServerCertificate }) =>
      !sqlServer?.entraTenant || (ssl !== false && !trustServerCertificate),
    { path: ["sqlServer", "entraTenant"], message: "requires TLS and a certificate that is verified" },
  )
  .refine(
    ({ sqlServer, ssl, trustServerCertificate, caCertificate }) =>
      !sqlServer?.managedIdentity || (ssl !== false && !trustServerCertificate && !caCertificate),
    {
      path: ["sqlServer", "managedIdentity"],
      message: "requires TLS and a certificate that is verified by the well-known CAs",
    },
  )
  .refine(({ sqlServer, password }) => !sqlServer?.managedIdentity || !password, {
    path: ["password"],
    message: "must be left out with a managed identity",
  })
  .refine(({ sqlServer, user }) => !sqlServer?.managedIdentity || isIdentity(user), {
    path: ["user"],
    message: "must be the client ID of a managed identity, or system",
  });

/** A user-assigned identity by its client ID, or the system-assigned one. */
const isIdentity = (user: string) => user === systemAssigned || z.guid().safeParse(user).success;
export const systemAssigned = "system";

export type DatabaseConnection = z.output<typeof databaseConnection>;

/** Set by the client that sends the request, or specific to the connection. */
const ownHeaders =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i;
export const headerValue = text(4000).regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  "must be one line of Latin characters",
);
const headerFields = record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is not a header name"),
  headerValue,
)
  .refine((headers) => Object.keys(headers).length <= 50, "must be at most 50")
  .refine((headers) => !Object.keys(headers).some((name) => ownHeaders.test(name)), {
    message: "must not contain a header that the service sets itself, such as Host or Content-Length",
  })
  .refine((headers) => new Set(namesOf(headers)).size === namesOf(headers).length, {
    message: "must not contain a header twice",
  });

const namesOf = (headers: Record<string, string>) => Object.keys(headers).map((name) => name.toLowerCase());

/** `/data` or `C:\\data`; without control characters. */
function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(path) && !/\p{Cc}/u.test(path);
}

function staysBelow(pattern: string): boolean {
  const parts = pattern.split(/[\\/]/);
  return !/\p{Cc}/u.test(pattern) && !/^[A-Za-z]:/.test(pattern) && parts[0] !== "" && !parts.includes("..");
}

const baseUrl = text(2000)
  .trim()
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { protocol, username, password, search, hash } = new URL(address);
    return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
  }, "must be an http or https URL without user, password, query, or fragment");

const restConnection = z.strictObject({
  baseUrl,
  headers: headerFields
    .refine((headers) => !namesOf(headers).some((name) => /^(authorization|cookie)$/.test(name)), {
      message: "must not contain Authorization or Cookie: they belong in secretHeaders",
    })
    .default({}),
  caCertificate: caCertificate.optional(),
});
const restConnectionInput = restConnection.extend({ secretHeaders: headerFields.optional() }).refine(
  ({ headers, secretHeaders = {} }) => {
    const secret = new Set(namesOf(secretHeaders));
    return !namesOf(headers).some((name) => secret.has(name));
  },
  { path: ["secretHeaders"], message: "must not contain a header that is also in headers" },
);

export type RestConnection = z.output<typeof restConnection>;

const patterns = (description: string) =>
  z
    .array(
      text(300)
        .trim()
        .min(1, "is required")
        .refine(staysBelow, "must be below the folder, without .. or a leading slash"),
    )
    .max(100)
    .default([])
    .meta({ description });

const folderConnection = z.strictObject({
  folder: text(1000)
    .trim()
    .refine(isAbsolutePath, "must be an absolute path")
    .meta({ description: "A folder on the server, within one of those that FILES_ALLOW lists" }),
  patterns: patterns(
    "File patterns below the folder, such as `sales/2024-*.csv`: the files that match one are one table, named like the pattern",
  ),
});
export type FolderConnection = z.output<typeof folderConnection>;

const s3Connection = z.strictObject({
  bucket: text(255)
    .trim()
    .regex(/^(?!.*\.\.)[A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9]$/, "must be the name of a bucket"),
  prefix: text(900).trim().default("").meta({
    description: "The folder in the bucket, such as `exports/shop`; the whole bucket if it is empty",
  }),
  region: text(50)
    .trim()
    .regex(/^[a-z0-9-]+$/, "must be a region, such as eu-central-1")
    .default("us-east-1"),
  endpoint: baseUrl.optional().meta({
    description: "The address of storage other than Amazon's, such as https://minio.example.com:9000",
  }),
  accessKeyId: text(200)
    .trim()
    .regex(/^[\x21-\x2b\x2d-\x7e]+$/, "must be an access key ID")
    .optional()
    .meta({ description: "Omitted for a bucket that is public" }),
  patterns: patterns(
    "Patterns of keys below the prefix, such as `sales/2024-*.csv`: the objects that match one are one table, named like the pattern. With patterns, nothing else is read",
  ),
  caCertificate: caCertificate.optional(),
});
// The two are stored as a line each.
const oneLine = /^[^\r\n]*$/;
const s3ConnectionInput = s3Connection
  .extend({
    secretAccessKey: text(1000).regex(oneLine, "must be one line").optional(),
    sessionToken: text(4000).trim().regex(oneLine, "must be one line").optional().meta({
      description: "Of a temporary access key: sent with its secret access key, and stored with it",
    }),
  })
  .refine(({ accessKeyId, secretAccessKey }) => accessKeyId !== undefined || !secretAccessKey, {
    path: ["accessKeyId"],
    message: "is required with a secret access key",
  })
  .refine(({ secretAccessKey, sessionToken }) => !sessionToken || secretAccessKey, {
    path: ["secretAccessKey"],
    message: "is required with a session token",
  });
export type S3Connection = z.output<typeof s3Connection>;

const fileAddress = text(2000)
  .trim()
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { protocol, username, password, hash } = new URL(address);
    return protocol === "https:" && !username && !password && !hash;
  }, "must be an https URL without user, password, or fragment")
  .refine(
    (address) => !URL.canParse(address) || isReadable(fileNameOf(address)),
    "must end with a file name, such as orders.csv or visits.parquet",
  );
const httpsConnection = z.strictObject({
  addresses: z
    .array(fileAddress)
    .min(1, "is required")
    .max(100)
    .refine(
      (addresses) =>
        new Set(addresses.map((each) => fileNameOf(each).toLowerCase())).size === addresses.length,
      "must not contain two files of the same name",
    )
    .meta({ description: "The addresses of files, visible to everyone who sees the data source" }),
  patterns: patterns(
    "Patterns of file names, such as `sales-*.csv`: the files that match one are one table, named like the pattern",
  ),
  caCertificate: caCertificate.optional(),
});
const httpsConnectionInput = httpsConnection.extend({ secretHeaders: headerFields.optional() });
export type HttpsConnection = z.output<typeof httpsConnection>;

/** The last part of an address's path; empty if it has none that can be a file's name. */
export function fileNameOf(address: string): string {
  const name = URL.canParse(address) ? (new URL(address).pathname.split("/").at(-1) ?? "") : "";
  try {
    const decoded = decodeURIComponent(name);
    return /[\\/\p{Cc}]/u.test(decoded) || /^[._]/.test(decoded) ? "" : decoded;
  } catch {
    return "";
  }
}

const accountIdentifier = text(200)
  .trim()
  .superRefine((account, context) => {
    const message = accountProblem(account);
    if (message) context.addIssue({ code: "custom", message });
  });

/** A name as it is written in SQL: folded to upper case unless in double quotes. */
const snowflakeName = text(257)
  .trim()
  .regex(/^(?!\s)[^\p{Cc}]+$/u, "must be a name");

const snowflakeConnection = z.strictObject({
  account: accountIdentifier,
  user: text(255).trim().min(1, "is required"),
  authentication: z
    .enum(["KeyPair", "OAuth"])
    .default("KeyPair")
    .meta({ description: "By the private key of a key pair, or by an OAuth access token" }),
  database: snowflakeName,
  schema: snowflakeName.default("PUBLIC").meta({ description: "For tables that are named without one" }),
  warehouse: snowflakeName.optional().meta({ description: "If omitted, the user's default" }),
  role: snowflakeName.optional().meta({ description: "If omitted, the user's default" }),
  queryTag: text(200)
    .trim()
    .default("plumbline")
    .meta({ description: "Every statement has it in the account's query history" }),
});
const snowflakeConnectionInput = snowflakeConnection
  .extend({
    privateKey: text(20_000).optional().meta({ description: "In PEM format (PKCS #8), for KeyPair" }),
    passphrase: text(1000).optional().meta({ description: "Of the private key, if it is encrypted" }),
    token: text(20_000).optional().meta({ description: "An access token, for OAuth" }),
  })
  .refine(({ authentication, token }) => authentication === "OAuth" || !token, {
    path: ["token"],
    message: "is only for OAuth",
  })
  .refine(
    ({ authentication, privateKey, passphrase }) =>
      authentication === "KeyPair" || !(privateKey || passphrase),
    {
      path: ["privateKey"],
      message: "is only for a key pair",
    },
  )
  .refine(({ privateKey, passphrase }) => privateKey !== undefined || !passphrase, {
    path: ["privateKey"],
    message: "is required with a passphrase",
  });
export type SnowflakeConnection = z.output<typeof snowflakeConnection>;

const projectId = text(100)
  .trim()
  .regex(/^([a-z0-9.-]+:)?[a-z][a-z0-9-]*$/, "must be the ID of a project, such as acme-analytics");

export const bigQueryConnection = z.strictObject({
  billingProject: projectId.meta({
    description: "The project in which queries run, and which pays for them",
  }),
  dataProject: projectId
    .optional()
    .meta({ description: "The project whose datasets are read, if it is another one" }),
  dataset: text(1024).trim().regex(/^\w+$/, "must be the name of a dataset").optional().meta({
    description: "The only dataset that is listed, and the one of tables that are named without one",
  }),
  location: text(40)
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9-]+$/, "must be a location, such as EU or europe-west3")
    .optional()
    .meta({ description: "Where the datasets are. Without it, BigQuery finds out for each query" }),
  maxBytesBilled: z
    .int()
    .min(100_000_000)
    .max(1_000_000_000_000_000)
    .default(10_000_000_000)
    .meta({ description: "The most bytes that one statement may bill; one that would read more is not run" }),
  endpoint: baseUrl.optional().meta({
    description:
      "Another address of the API: a private or regional endpoint of Google, or an emulator, which is never sent a token of Google",
  }),
});
/** The key file of a service account, or where it is kept. What else is in it is checked when it is used. */
function isKeyOrReference(text: string): boolean {
  if (text === "" || /^\{\{(env|file|vault):[^{}]*\}\}$/.test(text)) return true;
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === "service_account";
  } catch {
    return false;
  }
}

const serviceAccountKey = text(20_000)
  .trim()
  .refine(isKeyOrReference, "must be the content of a service account's JSON key file, or where it is kept");
const bigQueryConnectionInput = bigQueryConnection.extend({
  serviceAccountKey: serviceAccountKey.optional().meta({
    description: "The key file of a service account, as JSON. Not needed by an emulator",
  }),
});
export type BigQueryConnection = z.output<typeof bigQueryConnection>;

export type FilesConnection = FolderConnection | S3Connection | HttpsConnection;

/** The part stored unencrypted and shown: never a password or a secret header. */
export type PublicConnection =
  | DatabaseConnection
  | SnowflakeConnection
  | BigQueryConnection
  | FilesConnection
  | RestConnection;
/** As sent: an omitted secret stays the same, or there is none. */
export type GivenConnection =
  | z.output<typeof databaseConnectionInput>
  | z.output<typeof restConnectionInput>
  | z.output<typeof bigQueryConnectionInput>
  | FolderConnection
  | z.output<typeof s3ConnectionInput>
  | z.output<typeof httpsConnectionInput>
  | z.output<typeof snowflakeConnectionInput>;

const scanSchedule = z.strictObject({
  cronExpression,
  timezone: timezone.default("UTC").meta({ description: "IANA time zone" }),
});
export type ScanSchedule = z.output<typeof scanSchedule>;
const scanScheduleInput = scanSchedule.nullable().optional().meta({
  description:
    "When a database is scanned for faults on its own; null for never, which is the default. An update that omits it keeps it.",
});

const dailyBudget = z
  .number()
  .positive("must be more than 0; null removes it")
  .max(1e18)
  .nullable()
  .optional()
  .meta({
    description:
      "What the statements on the data source may cost in a day of UTC, in the unit of its kind: bytes, credits, or seconds. When it is spent, statements are refused until the next day. null for no limit, which is the default. An update that omits it keeps it.",
  });

export const dataSourceSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    kind: z.enum(kinds),
    connection: z.union([
      databaseConnection,
      snowflakeConnection,
      bigQueryConnection,
      folderConnection,
      s3Connection,
      httpsConnection,
      restConnection,
    ]),
    hasPassword: z.boolean().meta({
      description: "Whether a secret is stored: a password, a key, or secret headers",
    }),
    secretReferences: z.array(z.string()).meta({
      description:
        "Where the password, or parts of the secret headers, are kept instead, such as {{vault:kv/sales#password}}",
    }),
    canWrite: z.boolean().nullable(),
    allowedFunctions: z.array(z.string()),
    scanSchedule: z
      .object({
        cronExpression: z.string(),
        timezone: z.string(),
        nextRunAt: momentOut.nullable().meta({ description: "When the next scan begins on its own" }),
      })
      .nullable()
      .meta({ description: "null: it is scanned only when someone asks" }),
    dailyBudget: z.number().nullable().meta({
      description:
        "What its statements may cost in a day of UTC, in the unit of its kind; null: there is no limit",
    }),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "DataSource" });
export type DataSource = z.output<typeof dataSourceSchema>;

export const onlyWithCosts = "must be empty for a kind of data source whose statements cost nothing";
export const onlyDatabases = "must be empty for a REST API, which is not scanned";

const connectionInput = z.union([
  databaseConnectionInput,
  snowflakeConnectionInput,
  bigQueryConnectionInput,
  folderConnection,
  s3ConnectionInput,
  httpsConnectionInput,
  restConnectionInput,
]);

const fitsKind = ({ kind, connection }: { kind: Kind; connection: GivenConnection }) =>
  (kind === "RestApi") === isRest(connection) &&
  (kind === "Files") === isFiles(connection) &&
  (kind === "Snowflake") === isSnowflake(connection) &&
  (kind === "BigQuery") === isBigQuery(connection) &&
  hasOptionsOf(kind, connection);

/** Whether it has no options of another kind of server. */
export const hasOptionsOf = (kind: Kind, connection: GivenConnection): boolean =>
  kind === "SqlServer" || !isServer(connection) || connection.sqlServer === undefined;
const mustFit = { path: ["connection"], message: "must match the kind of data source" };

export const createDataSourceInput = z
  .strictObject({
    projectId: identifier,
    name,
    kind: z.enum(kinds),
    connection: connectionInput,
    allowedFunctions: allowedFunctions.optional(),
    scanSchedule: scanScheduleInput,
    dailyBudget,
  })
  .refine(fitsKind, mustFit)
  .refine(({ kind, scanSchedule }) => kind !== "RestApi" || !scanSchedule, {
    path: ["scanSchedule"],
    message: onlyDatabases,
  })
  .refine(({ kind, dailyBudget }) => costUnitOf(kind) !== null || !dailyBudget, {
    path: ["dailyBudget"],
    message: onlyWithCosts,
  });

/**
 * An omitted password stays the same, unless host, port, or user changed: then it is required. Likewise for secret
 * headers if the base URL changed.
 */
export const updateDataSourceInput = z.strictObject({
  id: identifier,
  baseRevision,
  name,
  connection: connectionInput,
  allowedFunctions: allowedFunctions.optional(),
  scanSchedule: scanScheduleInput,
  dailyBudget,
});

/** With `dataSourceId`, an omitted secret is the stored one, provided it would not be sent elsewhere. */
export const testConnectionInput = z
  .strictObject({
    projectId: identifier.optional(),
    name: name.optional(),
    kind: z.enum(kinds),
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

const spent = {
  amount: z.number(),
  statements: z.int().meta({ description: "How many statements had a cost" }),
};

/** What one evaluation or scan has cost; null where statements cost nothing. */
export const runCost = z
  .object({ unit: z.enum(costUnits), ...spent })
  .meta({ id: "RunCost" })
  .nullable();

/** What statements on a data source have cost. */
export const sourceCostSchema = z
  .object({
    unit: z.enum(costUnits),
    dailyBudget: z.number().nullable(),
    today: z.object(spent).meta({ description: "Since midnight UTC" }),
    last30Days: z.object(spent).meta({ description: "Including today" }),
  })
  .meta({ id: "DataSourceCost" });

/** null for a kind of data source whose statements cost nothing. */
export const sourceCostOutput = z.object({ cost: sourceCostSchema.nullable() });

/** What a contract's evaluations and samples have cost. */
export const contractCostOutput = z.object({
  cost: z
    .object({ unit: z.enum(costUnits), last30Days: z.object(spent) })
    .meta({ id: "ContractCost" })
    .nullable(),
});

/** Configured by an operator, with FILES_ALLOW. */
export const allowedFoldersSchema = z.object({ folders: z.array(z.string()) }).meta({ id: "AllowedFolders" });

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
/** A database's schemas, tables, and columns, as read by a connector. */
export type DatabaseSchema = { items: z.output<typeof databaseSchemaSchema>["items"] };

export const listDataSourcesInput = z.strictObject({ projectId: identifier.optional() });

/** The descriptions of one schema, or of one table and its columns; all of them by default. */
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
    .meta({ description: "If omitted, the description is of the table itself" }),
  description: description
    .trim()
    .min(1, "is required; null removes it")
    .nullable()
    .meta({ description: "null removes it" }),
  updatedAt: momentIn.nullish().meta({
    description: "The `updatedAt` of the description that this one replaces; null if there was none",
  }),
});

/** Many enough for any table, few enough to be shown. */
export const maxTags = 20;

export const tag = text(50)
  .trim()
  .toLowerCase()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _.:/-]*$/u,
    "must begin with a letter or digit, and have no signs but space and _ . : / -",
  );

/** Of what is only about tables that have one of these tags now. */
export const scopeTags = z
  .array(tag)
  .min(1, "is required; leave it out for all tables")
  .max(maxTags, `can be ${maxTags} at most`)
  .nullish()
  .meta({
    description:
      "Only of tables with one of these tags, also those that get it later; null or omitted: all tables",
  });

export const tagTableInput = z.strictObject({
  id: identifier,
  schemaName: databaseName,
  tableName: databaseName,
  tags: z
    .array(tag)
    .max(maxTags, `can be ${maxTags} at most`)
    .meta({ description: "All of the table's tags, in any case; an empty list removes them" }),
  baseRevision,
});

export const tableTagsSchema = z
  .object({
    id: identifier.nullable().meta({ description: "null for a table without tags" }),
    schemaName: z.string(),
    tableName: z.string(),
    tags: z.array(z.string()),
    revision: revisionSchema.nullable().meta({ description: "Incremented by every edit" }),
  })
  .meta({ id: "TableTags" });

export const descriptionSchema = z
  .object({
    schemaName: z.string(),
    tableName: z.string(),
    columnName: z.string().nullable().meta({ description: "null for the table itself" }),
    description: z.string().nullable(),
    updatedAt: momentOut.nullable(),
    updatedBy: userReference.nullable(),
  })
  .meta({ id: "TableDescription" });
