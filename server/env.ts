import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { z } from "zod";

const flag = z.enum(["on", "off"]).transform((value) => value === "on");

const optionalText = z.string().trim().min(1).optional();

/** A plain decimal number: `120`, not `1e2` or `0x78`. */
const wholeNumber = (min: number, max: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min).max(max, `must be at most ${max}`))
    .default(byDefault);

/** US dollars per million tokens: `2.50`. */
const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, "must be US dollars per million tokens, such as 2.50")
  .transform(Number)
  .optional();

/** A rate limit; null is `off`. */
const perMinute = (byDefault: number) =>
  z
    .string()
    .regex(/^(off|[1-9]\d{0,8})$/, "must be a whole number, at least 1, or off")
    .transform((text) => (text === "off" ? null : Number(text)))
    .default(byDefault);

/** A retention period; null is `off`, which keeps things forever. */
const days = (min: number, byDefault: number | null) =>
  z
    .string()
    .regex(/^(off|\d{1,5})$/, `must be a number of days, at least ${min}, or off`)
    .transform((text) => (text === "off" ? null : Number(text)))
    .pipe(z.number().min(min, `must be at least ${min}, or off`).nullable())
    .default(byDefault);

/** The number of proxies, or their networks: `2`, or `10.0.0.0/8, 192.0.2.1`. */
const trustedProxies = z
  .string()
  .refine(
    (text) => /^[1-9]$/.test(text) || text.split(",").every((each) => isNetwork(each.trim())),
    "must be a number of proxies from 1 to 9, or addresses and CIDRs separated by commas",
  );

/** Hosts, addresses, and CIDRs: `api.internal, 10.1.0.0/16`. A bare number is not a host, though some parsers read it as an address. */
const hostsAndNetworks = z
  .string()
  .refine(
    (text) =>
      text
        .split(",")
        .every((each) => isNetwork(each.trim()) || /^(?=.*[a-z])[a-z0-9._-]+$/i.test(each.trim())),
    "must be hosts, addresses, and CIDRs separated by commas",
  );

/** Absolute paths: `/srv/data, /mnt/exports`. */
const folders = z
  .string()
  .transform((text) => text.split(",").map((each) => each.trim()))
  .refine((paths) => paths.every((path) => isAbsolute(path)), "must be absolute paths separated by commas");

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

function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return maxBits > 0;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

/** smtp upgrades to TLS if the server offers it; smtps starts with TLS. */
const mailServer = z
  .url({ protocol: /^smtps?$/, message: "must be an smtp:// or smtps:// address" })
  .refine((address) => URL.canParse(address) && new URL(address).hostname !== "", "must name a host");

/** `alerts@example.com`, or `Plumbline <alerts@example.com>`. */
const mailbox = z
  .string()
  .refine(
    (text) => z.email().safeParse((/^[^<>\r\n]*<([^<>]*)>$/.exec(text)?.[1] ?? text).trim()).success,
    "must be an email address, or a name and <an email address>",
  );

/** `push.example.com`, optionally with a port. Uses https unless it starts with http://. */
const pusherHost = z
  .string()
  .transform((text) => (/^https?:\/\//.test(text) ? text : `https://${text}`))
  .refine(
    (address) => URL.canParse(address) && `${new URL(address).origin}/` === new URL(address).href,
    "must be a host, a host and a port, or an address without a path",
  );

/** Identities must not be read or changed in transit, so the issuer must use https. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .refine(
    (address) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(address),
    "must be an https address (http only on this machine)",
  );

/** `Admin=plumbline-admins,Editor=data-team` as pairs; a role may appear more than once. */
const roleMapping = z
  .string()
  .regex(
    /^\s*(Viewer|Editor|Admin)=[^,]+(,\s*(Viewer|Editor|Admin)=[^,]+)*$/,
    "must look like Admin=one-group,Editor=another",
  )
  .transform((text) =>
    text.split(",").map((pair) => {
      const [role = "", ...value] = pair.split("=");
      return { role: role.trim() as "Viewer" | "Editor" | "Admin", value: value.join("=").trim() };
    }),
  );

/** `Sales:Editor=sales-team,7:Viewer=guests` as triples: a project by its name or ID, a role in it, and who has it. */
const projectMapping = z
  .string()
  .regex(
    /^\s*[^,]+?:(Viewer|Editor|Admin)=[^,]+(,\s*[^,]+?:(Viewer|Editor|Admin)=[^,]+)*$/,
    "must look like Sales:Editor=sales-team,7:Viewer=guests, with projects by name or ID",
  )
  .transform((text) =>
    text.split(",").map((each) => {
      const [, project = "", role, value = ""] = /^(.+?):(Viewer|Editor|Admin)=(.+)$/.exec(each.trim()) ?? [];
      return { project: project.trim(), role: role as "Viewer" | "Editor" | "Admin", value: value.trim() };
    }),
  );

/** An API's base URL; /chat/completions is appended to it. */
const apiBase = z
  .url({ protocol: /^https?$/, message: "must be an http or https address" })
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { username, password, search, hash } = new URL(address);
    return !username && !password && !search && !hash;
  }, "must be a URL without user, password, query, or fragment");

/** Required together, with one of PUSHER_HOST and PUSHER_CLUSTER. */
const pusherSettings = ["PUSHER_APP_ID", "PUSHER_KEY", "PUSHER_SECRET"] as const;

/** The first three are required together; the others need them. */
const oidcSettings = [
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "OIDC_SCOPE",
  "OIDC_ROLE_CLAIM",
  "OIDC_ROLES",
  "OIDC_PROJECT_ROLES",
  "OIDC_DEFAULT_ROLE",
  "OIDC_AUDIENCE",
] as const;

/**
 * Every setting of the service, by the name of its environment variable. The descriptions become
 * docs/settings.md. An empty variable counts as unset.
 */
export const settings = z
  .object({
    PORT: z.coerce.number().int().min(1).max(65535).default(3000).describe("The port to serve on."),
    HOST: z.string().default("127.0.0.1").describe("The address to listen on."),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The address at which users reach the service. Defaults to http://localhost:PORT."),
    DATA_DIR: z
      .string()
      .default(".data")
      .describe("Where the embedded PostgreSQL and generated secrets live."),
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/ })
      .optional()
      .describe("A PostgreSQL to use instead of the embedded one."),
    ENCRYPTION_KEY: z
      .string()
      .regex(
        /^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/,
        "must be 32 bytes, as 64 hexadecimal digits or in base64",
      )
      .optional()
      .describe(
        "Encrypts stored credentials (32 bytes, hexadecimal or base64). With the embedded database, generated on first start and kept in DATA_DIR.",
      ),
    ENCRYPTION_KEY_OLD: z
      .string()
      .regex(
        /^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/,
        "must be 32 bytes, as 64 hexadecimal digits or in base64",
      )
      .optional()
      .describe("The previous ENCRYPTION_KEY. Only `npm run rotate-key` uses it."),
    NEXTAUTH_SECRET: z
      .string()
      .min(32, "must have at least 32 characters")
      .optional()
      .describe(
        "Signs session cookies. With the embedded database, generated on first start and kept in DATA_DIR.",
      ),
    SESSION_IDLE_H: wholeNumber(1, 720, 72).describe(
      "Hours of inactivity after which a session ends. An open page that refreshes itself counts as activity.",
    ),
    SESSION_MAX_DAYS: wholeNumber(1, 365, 30).describe(
      "Maximum lifetime of a session in days, even if it is active.",
    ),
    ADMIN_EMAIL: z
      .email()
      .optional()
      .describe("With ADMIN_PASSWORD: creates the first Admin on start, without /setup."),
    ADMIN_PASSWORD: z
      .string()
      .min(10, "must have at least 10 characters")
      .optional()
      .describe(
        "The first Admin's password. Change it after the first sign-in. A password that is easy to guess logs a warning.",
      ),
    DEMO: flag
      .optional()
      .describe("on|off: load the demo project. On by default with the embedded database."),
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .default("info")
      .describe("The lowest level to log."),
    ACCESS_LOG: flag
      .optional()
      .describe("on|off: log every request at level info. On by default, unless the log goes to a terminal."),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, "must be one word of ASCII with at least 16 characters")
      .optional()
      .describe(
        "A token that may read /metrics, sent as `Authorization: Bearer …`. Without it, only Admins can read them.",
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "Base URL of the OTLP/HTTP collector that receives traces and metrics, such as http://localhost:4318. Nothing is sent unless it is set. The standard OpenTelemetry variables also apply (OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, and others).",
      ),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "The full URL for traces, such as http://localhost:4318/v1/traces. Overrides OTEL_EXPORTER_OTLP_ENDPOINT.",
      ),
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "The full URL for metrics, such as http://localhost:4318/v1/metrics. Overrides OTEL_EXPORTER_OTLP_ENDPOINT.",
      ),
    OTEL_METRICS_EXPORTER: z
      .enum(["otlp", "none"])
      .default("otlp")
      .describe("`none` sends traces alone, for a collector that takes no metrics."),
    OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1000, 3_600_000, 60_000).describe(
      "Milliseconds between two exports of metrics.",
    ),
    OTEL_EXPORTER_OTLP_PROTOCOL: z
      .literal("http/protobuf", "must be http/protobuf, the only supported protocol")
      .optional()
      .describe("The export protocol. Only http/protobuf is supported."),
    DATABASE_POOL: z.coerce
      .number()
      .int()
      .min(2)
      .max(100)
      .default(10)
      .describe("Maximum number of connections to the service's own database, per process."),
    JOBS_CONCURRENCY: wholeNumber(1, 1000, 60).describe(
      "Maximum number of jobs that a process runs at once. Most of them wait for data sources.",
    ),
    JOBS: flag
      .default(true)
      .describe(
        "on|off: whether this process runs jobs. Off for a process that only answers requests, where others on the same DATABASE_URL run them.",
      ),
    INNGEST_EVENT_KEY: optionalText.describe(
      "With INNGEST_SIGNING_KEY: jobs run on Inngest instead of in this process.",
    ),
    INNGEST_SIGNING_KEY: optionalText.describe("Verifies that a request to run a job comes from Inngest."),
    INNGEST_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The URL of a self-hosted Inngest. Defaults to Inngest Cloud."),
    INNGEST_SERVE_ORIGIN: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "The URL at which Inngest reaches this service, such as http://plumbline:3000. Defaults to PUBLIC_URL.",
      ),
    PUSHER_APP_ID: optionalText.describe(
      "With PUSHER_KEY, PUSHER_SECRET, and PUSHER_HOST or PUSHER_CLUSTER: real-time events go through Pusher or a compatible service instead of this process.",
    ),
    PUSHER_KEY: optionalText.describe("The app's key. Browsers receive it."),
    PUSHER_SECRET: optionalText.describe("The app's secret."),
    PUSHER_HOST: pusherHost
      .optional()
      .describe("The host of a Pusher-compatible service, as this process and browsers reach it."),
    PUSHER_CLUSTER: z
      .string()
      .regex(/^[a-z0-9-]+$/, "must be a Pusher cluster, such as eu")
      .optional()
      .describe("The app's cluster at Pusher, such as eu."),
    OIDC_ISSUER: issuer
      .optional()
      .describe(
        "Issuer URL of an OpenID Connect provider. Users can sign in with it, and its JWTs are accepted.",
      ),
    OIDC_CLIENT_ID: optionalText.describe("The client ID registered with the provider."),
    OIDC_CLIENT_SECRET: optionalText.describe("The client secret registered with the provider."),
    OIDC_NAME: optionalText.describe("The provider's name on the sign-in button. Defaults to its host."),
    OIDC_SCOPE: z
      .string()
      .regex(/(^| )openid( |$)/, "must contain openid")
      .optional()
      .describe("The scopes to request. Defaults to openid profile email."),
    OIDC_ROLE_CLAIM: optionalText.describe(
      "The claim that OIDC_ROLES and OIDC_PROJECT_ROLES map, such as groups or realm_access.roles. Defaults to both roles and groups.",
    ),
    OIDC_ROLES: roleMapping
      .optional()
      .describe("Maps claim values to roles, as in Admin=one-group,Editor=another. The highest role wins."),
    OIDC_PROJECT_ROLES: projectMapping
      .optional()
      .describe(
        "Limits users whom OIDC_ROLES maps to no role to projects, by claim values, as in Sales:Editor=sales-team,7:Viewer=guests. The highest role in each project wins.",
      ),
    OIDC_DEFAULT_ROLE: z
      .enum(["Viewer", "none"])
      .optional()
      .describe(
        "The role of users whom OIDC_ROLES and OIDC_PROJECT_ROLES map to nothing. Defaults to none: they cannot sign in.",
      ),
    PASSWORD_SIGN_IN: flag
      .default(true)
      .describe("off: users sign in with OIDC only. Ends sessions that began with a password."),
    OIDC_AUDIENCE: optionalText.describe("The audience that a JWT must contain. Defaults to OIDC_CLIENT_ID."),
    SCIM_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{32,}$/, "must be one word of ASCII with at least 32 characters")
      .optional()
      .describe(
        "A token with which an identity provider pushes users and groups by SCIM 2.0 to /svc/scim/v2, sent as `Authorization: Bearer …`. Without it, SCIM is off.",
      ),
    SCIM_ROLES: roleMapping
      .optional()
      .describe("Maps the names of pushed groups to roles, like OIDC_ROLES. The highest role wins."),
    SCIM_PROJECT_ROLES: projectMapping
      .optional()
      .describe(
        "Limits pushed users whom SCIM_ROLES maps to no role to projects, by the names of their groups, like OIDC_PROJECT_ROLES.",
      ),
    TRUST_PROXY: trustedProxies
      .optional()
      .describe(
        "The proxies whose X-Forwarded-For is trusted: how many are in front of the service, or their addresses and CIDRs.",
      ),
    OPENLINEAGE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "An OpenLineage service that is sent each evaluation as a run with its assertions, such as https://lineage.example.com. Nothing is sent unless it is set. A private address must also be in OUTBOUND_ALLOW.",
      ),
    OPENLINEAGE_ENDPOINT: z
      .string()
      .default("api/v1/lineage")
      .describe("The path below OPENLINEAGE_URL that takes events."),
    OPENLINEAGE_API_KEY: z.string().optional().describe("Sent to it as a bearer token."),
    OPENLINEAGE_NAMESPACE: z
      .string()
      .min(1)
      .max(200)
      .default("plumbline")
      .describe("The namespace of the jobs in these events; another one for each installation."),
    OUTBOUND_ALLOW: hostsAndNetworks
      .optional()
      .describe(
        "Private hosts, addresses, and CIDRs that REST API, Snowflake, and BigQuery data sources, Slack, Teams, and webhooks may reach.",
      ),
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
    SNOWFLAKE_EMULATOR: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "Where every account of Snowflake is reached instead of at snowflakecomputing.com: an emulator, for tests. A private address must also be in OUTBOUND_ALLOW.",
      ),
    SLACK_SIGNING_SECRET: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, "must be one word of ASCII with at least 16 characters")
      .optional()
      .describe(
        "With SLACK_BOT_TOKEN: people approve plans and changes and work on incidents and tasks by buttons in Slack. The Signing Secret of the Slack app.",
      ),
    SLACK_BOT_TOKEN: z
      .string()
      .regex(/^xoxb-[\x21-\x7e]{8,}$/, "must be the Bot User OAuth Token, which begins with xoxb-")
      .optional()
      .describe("The Bot User OAuth Token of the Slack app, with which it posts to channels."),
    SLACK_API_URL: z
      .url({ protocol: /^https?$/ })
      .default("https://slack.com/api")
      .describe("Slack's Web API. Change it for GovSlack: https://slack-gov.com/api."),
    TEAMS_APP_ID: z
      .guid("must be the app's ID, such as 00000000-0000-0000-0000-000000000000")
      .optional()
      .describe(
        "With TEAMS_APP_PASSWORD and TEAMS_TENANT_ID: the same buttons in Microsoft Teams. The Microsoft App ID of a bot.",
      ),
    TEAMS_APP_PASSWORD: optionalText.describe(
      "A client secret of that app, with which it posts to channels.",
    ),
    TEAMS_TENANT_ID: z
      .guid("must be the tenant's ID, such as 00000000-0000-0000-0000-000000000000")
      .optional()
      .describe("The Microsoft Entra tenant of the app, whose people may press buttons."),
    TEAMS_SERVICE_URL: z
      .url({ protocol: /^https?$/ })
      .default("https://smba.trafficmanager.net")
      .describe("The only host to which the bot posts and sends its token."),
    TEAMS_LOGIN_URL: z
      .url({ protocol: /^https?$/ })
      .default("https://login.microsoftonline.com")
      .describe("Where the bot gets its token."),
    TEAMS_OPENID_URL: z
      .url({ protocol: /^https?$/ })
      .default("https://login.botframework.com/v1/.well-known/openidconfiguration")
      .describe("The OpenID metadata of the Bot Framework, whose keys sign what Teams reports."),
    SECRETS_ENV_PREFIX: z
      .string()
      .regex(
        /^[A-Za-z](\w|\{project\})*_$/,
        "must be the beginning of names of variables and end with _, such as WAREHOUSE_SECRET_",
      )
      .optional()
      .describe(
        "Data sources may take passwords from environment variables whose names begin with this: {{env:WAREHOUSE_SECRET_SALES}}. {project} in it stands for the ID of the data source's project. Not allowed unless set.",
      ),
    SECRETS_FOLDERS: folders
      .default([])
      .describe(
        "Folders, separated by commas, with files from which data sources may take passwords: {{file:/run/secrets/sales}}. {project} stands for the project's ID. None by default.",
      ),
    SECRETS_VAULT_ADDRESS: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "A Vault or OpenBao from whose KV version 2 data sources may take passwords: {{vault:mount/path#field}}.",
      ),
    SECRETS_VAULT_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
      .optional()
      .describe("The token for Vault."),
    SECRETS_VAULT_TOKEN_FILE: z
      .string()
      .refine(isAbsolute, "must be an absolute path")
      .optional()
      .describe(
        "Instead of SECRETS_VAULT_TOKEN: a file with the token, read again for every request, so that an agent may renew it.",
      ),
    SECRETS_VAULT_NAMESPACE: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
      .optional()
      .describe("The namespace in Vault."),
    SECRETS_VAULT_PATHS: z
      .string()
      .regex(
        /^[^\s/,]+\/([^\s,]*\/)?(,\s*[^\s/,]+\/([^\s,]*\/)?)*$/,
        "must look like kv/plumbline/,other-mount/warehouses/ and end with slashes",
      )
      .transform((text) => text.split(",").map((each) => each.trim()))
      .optional()
      .describe(
        "The beginnings of mount and path that may be read from Vault, such as kv/plumbline/. {project} stands for the project's ID.",
      ),
    BACKUP_PASSPHRASE: z
      .string()
      .min(12, "must have at least 12 characters")
      .optional()
      .describe("Encrypts backups, and decrypts them for a restore. Only those two commands use it."),
    BACKUP_RECIPIENTS: z
      .string()
      .regex(/^age1[0-9a-z]+(,\s*age1[0-9a-z]+)*$/, "must be recipients of age (age1…), separated by commas")
      .transform((text) => text.split(",").map((each) => each.trim()))
      .optional()
      .describe(
        "Instead of BACKUP_PASSPHRASE: encrypts backups for these recipients of age, whose private keys need not be on this machine.",
      ),
    BACKUP_IDENTITY_FILE: z
      .string()
      .optional()
      .describe("A file with the private key of one of these recipients, for a restore."),
    FILES_ALLOW: folders
      .default([])
      .describe(
        "Folders, separated by commas, below which data sources of kind Files may read. None by default.",
      ),
    FILES_MEMORY_MB: wholeNumber(256, 1_000_000, 1024).describe(
      "The memory in MiB that each process that reads files may use. At most three work at a time.",
    ),
    FILES_CACHE_MB: wholeNumber(16, 100_000_000, 10_240).describe(
      "The disk space in MiB, in DATA_DIR, for objects of S3-compatible storage and files from HTTPS that data sources of kind Files read. What was not read for longest is removed first.",
    ),
    SMTP_URL: mailServer
      .optional()
      .describe("With MAIL_FROM: the SMTP server that sends email, such as smtp://user:password@host:587."),
    MAIL_FROM: mailbox.optional().describe("The sender of email: an address, or a name and <an address>."),
    APPROVAL_WORKFLOW: flag
      .default(false)
      .describe(
        "on|off: changes to a query's SQL need approval. An Admin can override this in the settings.",
      ),
    APPROVAL_FOUR_EYES: flag
      .default(false)
      .describe("on|off: nobody can approve their own change. An Admin can override this in the settings."),
    KEYS_MAY_MAKE_ADMINS: flag
      .default(false)
      .describe("on|off: API keys may create Admins and promote users to Admin."),
    // fetch rejects a header that it cannot send with an error that quotes the whole key.
    OPENAI_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
      .optional()
      .describe(
        "The API key of OpenAI, or of the server at OPENAI_BASE_URL. AI actors use the built-in planner unless one of the two is set.",
      ),
    OPENAI_BASE_URL: apiBase
      .optional()
      .describe(
        "A server with an OpenAI-compatible chat completions API, such as http://localhost:11434/v1. Some need no OPENAI_API_KEY.",
      ),
    LLM_MODEL: optionalText.describe(
      "The model to use. Required with OPENAI_BASE_URL; defaults to gpt-6.1-terra at OpenAI.",
    ),
    LLM_OUTPUT: z
      .enum(["schema", "json"])
      .default("schema")
      .describe(
        "schema|json: how to request structured output. Use json if the server supports JSON mode but not JSON Schema.",
      ),
    LLM_FINDINGS: flag
      .default(false)
      .describe(
        "on|off: scans show each table to the model, which may move and reword findings and propose its own. It is sent masked examples of values.",
      ),
    LLM_PRICE_INPUT: price.describe(
      "US dollars per million input tokens. Defaults to the list price, if known. 0 if the model is free.",
    ),
    LLM_PRICE_OUTPUT: price.describe("US dollars per million output tokens."),
    LLM_TIMEOUT_S: wholeNumber(1, 290, 120).describe(
      "Timeout of a call to the model in seconds, including its retries after 429 and similar errors.",
    ),
    LLM_CONCURRENCY: wholeNumber(1, 1000, 4).describe(
      "Maximum number of concurrent calls to the model, across all processes. Further calls wait.",
    ),
    LLM_REQUESTS_PER_MINUTE: wholeNumber(1, 100_000, 60).describe(
      "Maximum number of calls to the model per minute, across all processes. Further calls wait.",
    ),
    STOP_DELAY_S: wholeNumber(0, 300, 0).describe(
      "Seconds between SIGTERM and shutdown in which /ready fails but requests are still served, so that a load balancer can drain the process.",
    ),
    STATISTICS_CACHE_S: z.coerce
      .number()
      .int()
      .min(0)
      .max(3600)
      .default(30)
      .describe("Seconds for which Control Tower's statistics are cached. 0 turns the cache off."),
    EXECUTIONS_KEPT_DAYS: days(91, 400).describe(
      "Days to keep executions and their anomalies, at least 91, or off to keep them forever. The newest 20 of each subscription are always kept.",
    ),
    EVALUATIONS_KEPT_DAYS: days(91, 400).describe(
      "Days to keep evaluations and the scores of their rules, at least 91, or off to keep them forever. The newest 30 of each contract are always kept.",
    ),
    RULE_RESULTS_KEPT_DAYS: days(1, 90).describe(
      "Days to keep the results of each rule (expected, found, and message), or off to keep them as long as the evaluation. Those of a contract's latest evaluation are always kept.",
    ),
    SAMPLES_KEPT_DAYS: wholeNumber(1, 3650, 30).describe(
      "Days to keep failing rows and the first rows of executions.",
    ),
    AUDIT_KEPT_DAYS: days(365, null).describe(
      "Days to keep audit log entries, at least 365. Kept forever unless set.",
    ),
    AUDIT_READS: flag
      .default(false)
      .describe(
        "on|off: the audit log also has what people read: one entry per person, procedure, object, and hour.",
      ),
    AUDIT_EXPORT_URL: z
      .url({
        protocol: /^(https?|syslog\+(tls|tcp))$/,
        message: "must be an https, http, syslog+tls, or syslog+tcp address",
      })
      .refine((address) => URL.canParse(address) && new URL(address).hostname !== "", "must name a host")
      .refine(
        (address) => URL.canParse(address) && !new URL(address).username && !new URL(address).password,
        "must be without user and password",
      )
      .optional()
      .describe(
        "Where the audit log is sent as it grows, each minute: JSON lines by POST to an https address, or syslog (RFC 5424) to syslog+tls://host:6514 or syslog+tcp://host:601.",
      ),
    AUDIT_EXPORT_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)?$/, "must be a token, or a scheme and a token")
      .optional()
      .describe("Sent to an https address as a bearer token, or with its own scheme, such as Splunk 0123."),
    KEYS_MAX_DAYS: days(1, null).describe(
      "The longest lifetime of an API key in days, counted from its creation. Then every new key needs an expiry, and older keys no longer work. No limit unless set.",
    ),
    RATE_LIMIT_PRINCIPAL: perMinute(60_000).describe(
      "Requests per minute that a user or key may make to each process, or off for no limit.",
    ),
    RATE_LIMIT_ADDRESS: perMinute(60_000).describe(
      "Unauthenticated requests per minute that an address may make to each process, or off for no limit.",
    ),
    RATE_LIMIT_REFUSED: perMinute(6_000).describe(
      "Requests per minute with an invalid key or JWT that an address may make to each process, or off for no limit.",
    ),
  })
  .refine((s) => Boolean(s.ADMIN_EMAIL) === Boolean(s.ADMIN_PASSWORD), {
    path: ["ADMIN_EMAIL"],
    message: "and ADMIN_PASSWORD go together: set both or neither",
  })
  .refine((s) => Boolean(s.INNGEST_EVENT_KEY) === Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_EVENT_KEY"],
    message: "and INNGEST_SIGNING_KEY go together: set both, or neither for the embedded engine",
  })
  .refine((s) => !s.SMTP_URL || Boolean(s.MAIL_FROM), {
    path: ["MAIL_FROM"],
    message: "is required by SMTP_URL: set both, or neither to send no email",
  })
  .refine((s) => !s.MAIL_FROM || Boolean(s.SMTP_URL), {
    path: ["SMTP_URL"],
    message: "is required by MAIL_FROM: set both, or neither to send no email",
  })
  .refine((s) => !s.INNGEST_BASE_URL || Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_BASE_URL"],
    message: "also requires INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY",
  })
  .refine((s) => !s.INNGEST_SERVE_ORIGIN || Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_SERVE_ORIGIN"],
    message: "also requires INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY",
  })
  .refine((s) => !s.OPENAI_BASE_URL || Boolean(s.LLM_MODEL), {
    path: ["LLM_MODEL"],
    message: "is required by OPENAI_BASE_URL",
  })
  .refine((s) => !s.LLM_MODEL || Boolean(s.OPENAI_API_KEY ?? s.OPENAI_BASE_URL), {
    path: ["LLM_MODEL"],
    message: "requires OPENAI_API_KEY or OPENAI_BASE_URL",
  })
  .refine((s) => (s.LLM_PRICE_INPUT === undefined) === (s.LLM_PRICE_OUTPUT === undefined), {
    path: ["LLM_PRICE_INPUT"],
    message: "and LLM_PRICE_OUTPUT go together: set both, or neither for the list price",
  })
  .refine((s) => !s.BACKUP_PASSPHRASE || !s.BACKUP_RECIPIENTS, {
    path: ["BACKUP_PASSPHRASE"],
    message: "and BACKUP_RECIPIENTS are mutually exclusive: set one",
  })
  .refine((s) => !s.SECRETS_VAULT_TOKEN || !s.SECRETS_VAULT_TOKEN_FILE, {
    path: ["SECRETS_VAULT_TOKEN"],
    message: "and SECRETS_VAULT_TOKEN_FILE are mutually exclusive: set one",
  })
  .refine((s) => !s.SECRETS_VAULT_ADDRESS || Boolean(s.SECRETS_VAULT_TOKEN ?? s.SECRETS_VAULT_TOKEN_FILE), {
    path: ["SECRETS_VAULT_TOKEN"],
    message: "or SECRETS_VAULT_TOKEN_FILE is required by SECRETS_VAULT_ADDRESS",
  })
  .refine((s) => !s.SECRETS_VAULT_ADDRESS || Boolean(s.SECRETS_VAULT_PATHS), {
    path: ["SECRETS_VAULT_PATHS"],
    message: "is required by SECRETS_VAULT_ADDRESS",
  })
  .refine((s) => s.JOBS || Boolean(s.DATABASE_URL), {
    path: ["JOBS"],
    message: "off requires DATABASE_URL: no other process could run the jobs",
  })
  .superRefine((s, context) => {
    const missing = pusherSettings.find((name) => s[name] === undefined);
    const given = ([...pusherSettings, "PUSHER_HOST", "PUSHER_CLUSTER"] as const).find((name) => s[name]);
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (given && missing)
      refuse(missing, `is required by ${given}: set all, or none for the hub in this process`);
    else if (given && !s.PUSHER_HOST && !s.PUSHER_CLUSTER)
      refuse("PUSHER_HOST", "or PUSHER_CLUSTER is required by PUSHER_APP_ID");
    else if (s.PUSHER_HOST && s.PUSHER_CLUSTER)
      refuse("PUSHER_HOST", "and PUSHER_CLUSTER are mutually exclusive: set one");
  })
  .refine((s) => Boolean(s.SLACK_SIGNING_SECRET) === Boolean(s.SLACK_BOT_TOKEN), {
    path: ["SLACK_SIGNING_SECRET"],
    message: "and SLACK_BOT_TOKEN are only useful together: set both, or none",
  })
  .refine(
    (s) => [0, 3].includes([s.TEAMS_APP_ID, s.TEAMS_APP_PASSWORD, s.TEAMS_TENANT_ID].filter(Boolean).length),
    {
      path: ["TEAMS_APP_ID"],
      message: ", TEAMS_APP_PASSWORD, and TEAMS_TENANT_ID are only useful together: set all, or none",
    },
  )
  .refine((s) => Boolean(s.SCIM_TOKEN) || !s.SCIM_ROLES, {
    path: ["SCIM_TOKEN"],
    message: "is required by SCIM_ROLES",
  })
  .refine((s) => Boolean(s.SCIM_TOKEN) || !s.SCIM_PROJECT_ROLES, {
    path: ["SCIM_TOKEN"],
    message: "is required by SCIM_PROJECT_ROLES",
  })
  .superRefine((s, context) => {
    const given = oidcSettings.filter((name) => s[name] !== undefined);
    const missing = oidcSettings.slice(0, 3).filter((name) => s[name] === undefined);
    if (given.length > 0 && missing.length > 0)
      context.addIssue({ code: "custom", path: [missing[0] ?? ""], message: `is required by ${given[0]}` });
    else if (given.length > 0 && !s.OIDC_ROLES && !s.OIDC_PROJECT_ROLES && s.OIDC_DEFAULT_ROLE !== "Viewer")
      context.addIssue({
        code: "custom",
        path: ["OIDC_ROLES"],
        message:
          "or OIDC_PROJECT_ROLES is required unless OIDC_DEFAULT_ROLE is Viewer: otherwise nobody can sign in",
      });
    else if (!s.PASSWORD_SIGN_IN && !s.OIDC_ISSUER)
      context.addIssue({
        code: "custom",
        path: ["PASSWORD_SIGN_IN"],
        message: "off requires OIDC_ISSUER: otherwise nobody can sign in",
      });
    else if (!s.PASSWORD_SIGN_IN && !s.OIDC_ROLES?.some(({ role }) => role === "Admin"))
      context.addIssue({
        code: "custom",
        path: ["PASSWORD_SIGN_IN"],
        message: "off requires OIDC_ROLES with an Admin group: otherwise no Admin can sign in",
      });
  });

export type Settings = z.infer<typeof settings>;

/** An invalid setting; `message` is one line for the operator that names the variable. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** What may also be given as the path of a file, in a variable of the same name with _FILE. */
export const secretSettings: readonly string[] = Object.keys(settings.shape).filter(
  (name) =>
    /(_KEY|_KEY_OLD|_SECRET|_PASSWORD|_PASSPHRASE|_TOKEN)$/.test(name) ||
    ["DATABASE_URL", "SMTP_URL", "IDENTITY_HEADER"].includes(name),
);

type Variables = Record<string, string | undefined>;

/** The files that secrets of this process were read from. */
export const secretFiles = new Set<string>();

/**
 * Puts the content of the files that X_FILE names into X, without the line's end, and removes X_FILE: other programs'
 * libraries read X, too. A _FILE that is a setting of its own stays. Throws SettingError, which names the variable and
 * never what the file holds.
 */
function readSecretFiles(variables: Variables): void {
  for (const name of secretSettings) {
    const fileName = `${name}_FILE`;
    const path = variables[fileName];
    if (!path || fileName in settings.shape) continue;
    if (variables[name]) throw new SettingError(`${fileName}: and ${name} are mutually exclusive: set one`);
    variables[name] = secretIn(path, fileName);
    secretFiles.add(path);
    delete variables[fileName];
  }
}

function secretIn(path: string, fileName: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new SettingError(`${fileName}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (text === "") throw new SettingError(`${fileName}: the file is empty`);
  return text;
}

/** Reads and validates all settings. Throws SettingError with the first problem. */
export function readSettings(given: Variables = process.env): Settings {
  // The process's own variables are completed in place, for what reads them by itself.
  const from = given === process.env ? given : { ...given };
  readSecretFiles(from);
  const present = Object.fromEntries(
    Object.entries(from).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = settings.safeParse(present);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingError(`${issue?.path.join(".")}: ${issue?.message}`);
}

let cached: Settings | undefined;

/** The settings of this process, validated on first use. */
export function env(): Settings {
  cached ??= readSettings();
  return cached;
}

/** The public URL of the service, without a trailing slash. */
export function publicUrl(s: Settings = env()): string {
  return (s.PUBLIC_URL ?? `http://localhost:${s.PORT}`).replace(/\/+$/, "");
}
