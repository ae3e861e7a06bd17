import { isIP } from "node:net";
import { z } from "zod";

const flag = z.enum(["on", "off"]).transform((value) => value === "on");

const optionalText = z.string().trim().min(1).optional();

/** A number as people write one: `120`, and neither `1e2` nor `0x78`. */
const wholeNumber = (least: number, most: number, normally: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.number().min(least).max(most, `must be at most ${most}`))
    .default(normally);

/** In US dollars for a million tokens: `2.50`. */
const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, "must be US dollars for a million tokens, such as 2.50")
  .transform(Number)
  .optional();

/** How often something may happen; null is `off`. */
const perMinute = (normally: number) =>
  z
    .string()
    .regex(/^(off|[1-9]\d{0,8})$/, "must be a whole number, at least 1, or off")
    .transform((text) => (text === "off" ? null : Number(text)))
    .default(normally);

/** For how many days something is kept; null is `off`, which keeps it for ever. */
const days = (least: number, normally: number | null) =>
  z
    .string()
    .regex(/^(off|\d{1,5})$/, `must be a number of days, at least ${least}, or off`)
    .transform((text) => (text === "off" ? null : Number(text)))
    .pipe(z.number().min(least, `must be at least ${least}, or off`).nullable())
    .default(normally);

/** How many proxies there are, or where they are: `2`, or `10.0.0.0/8, 192.0.2.1`. */
const trustedProxies = z
  .string()
  .refine(
    (text) => /^[1-9]$/.test(text) || text.split(",").every((each) => isNetwork(each.trim())),
    "must be a number of proxies from 1 to 9, or addresses and CIDRs with commas between them",
  );

/** Hosts, addresses and CIDRs: `api.internal, 10.1.0.0/16`. A bare number is neither, however it may be read. */
const hostsAndNetworks = z
  .string()
  .refine(
    (text) =>
      text
        .split(",")
        .every((each) => isNetwork(each.trim()) || /^(?=.*[a-z])[a-z0-9._-]+$/i.test(each.trim())),
    "must be hosts, addresses and CIDRs with commas between them",
  );

function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return most > 0;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** smtp asks for TLS when the server offers it, and smtps begins with it. */
const mailServer = z
  .url({ protocol: /^smtps?$/, message: "must be an smtp:// or smtps:// address" })
  .refine((address) => URL.canParse(address) && new URL(address).hostname !== "", "must name a host");

/** `alerts@example.com`, or `Plumbline <alerts@example.com>`. */
const mailbox = z
  .string()
  .refine(
    (text) => z.email().safeParse((/^[^<>\r\n]*<([^<>]*)>$/.exec(text)?.[1] ?? text).trim()).success,
    "must be an e-mail address, or a name and <an e-mail address>",
  );

/** `push.example.com`, or with a port; by https, unless it begins with http://. */
const pusherHost = z
  .string()
  .transform((text) => (/^https?:\/\//.test(text) ? text : `https://${text}`))
  .refine(
    (address) => URL.canParse(address) && `${new URL(address).origin}/` === new URL(address).href,
    "must be a host, a host and a port, or an address without a path",
  );

/** What is believed about who people are must not be read or changed on its way. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .refine(
    (address) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(address),
    "must be an https address (http only on this machine)",
  );

/** `Admin=plumbline-admins,Editor=data-team` as pairs; a role may stand more than once. */
const roleMapping = z
  .string()
  .regex(
    /^\s*(Viewer|Editor|Admin)=[^,]+(,\s*(Viewer|Editor|Admin)=[^,]+)*$/,
    "must read like Admin=one-group,Editor=another",
  )
  .transform((text) =>
    text.split(",").map((pair) => {
      const [role = "", ...value] = pair.split("=");
      return { role: role.trim() as "Viewer" | "Editor" | "Admin", value: value.join("=").trim() };
    }),
  );

/** An API's base URL, below which /chat/completions lies. */
const apiBase = z
  .url({ protocol: /^https?$/, message: "must be an http or https address" })
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { username, password, search, hash } = new URL(address);
    return !username && !password && !search && !hash;
  }, "must be an address without user, password, query and fragment");

/** All three go together, with one of the other two. */
const pusherSettings = ["PUSHER_APP_ID", "PUSHER_KEY", "PUSHER_SECRET"] as const;

/** The first three go together; the others need them. */
const oidcSettings = [
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "OIDC_SCOPE",
  "OIDC_ROLE_CLAIM",
  "OIDC_ROLES",
  "OIDC_DEFAULT_ROLE",
  "OIDC_AUDIENCE",
] as const;

/**
 * Every setting of the service, by the name of its environment variable. Each is documented where it is
 * declared; an empty variable counts as absent.
 */
export const settings = z
  .object({
    PORT: z.coerce.number().int().min(1).max(65535).default(3000).describe("The port to serve on."),
    HOST: z.string().default("127.0.0.1").describe("The address to listen on."),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The address at which people reach the service; http://localhost:PORT unless set."),
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
        "Encrypts stored credentials (32 bytes, hexadecimal or base64). Made once in DATA_DIR in embedded mode.",
      ),
    ENCRYPTION_KEY_OLD: z
      .string()
      .regex(
        /^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/,
        "must be 32 bytes, as 64 hexadecimal digits or in base64",
      )
      .optional()
      .describe("The former ENCRYPTION_KEY, for `npm run rotate-key` alone."),
    NEXTAUTH_SECRET: z
      .string()
      .min(32, "must have at least 32 characters")
      .optional()
      .describe("Signs session cookies. Made once in DATA_DIR in embedded mode."),
    SESSION_IDLE_H: wholeNumber(1, 720, 72).describe(
      "A session that is not used for so many hours has ended. An open page that refreshes itself uses it.",
    ),
    SESSION_MAX_DAYS: wholeNumber(1, 365, 30).describe(
      "For how many days a session lasts at most, however much it is used.",
    ),
    ADMIN_EMAIL: z
      .email()
      .optional()
      .describe("With ADMIN_PASSWORD: creates the first Admin, without /setup."),
    ADMIN_PASSWORD: z
      .string()
      .min(10, "must have at least 10 characters")
      .optional()
      .describe(
        "The first Admin's password, to be changed once they have signed in. One that is easy to guess is a warning in the log.",
      ),
    DEMO: flag
      .optional()
      .describe("on|off: load the demo project. On by default with the embedded database."),
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .default("info")
      .describe("How much is logged."),
    ACCESS_LOG: flag
      .optional()
      .describe(
        "on|off: a line of the log for each request, at info. On unless the log goes to a terminal, where people read what else is said.",
      ),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, "must be one word of ASCII with at least 16 characters")
      .optional()
      .describe(
        "Whoever sends it as `Authorization: Bearer …` may read /metrics; without it only Admins may.",
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        "Traces are sent there by OpenTelemetry's protocol over HTTP, as http://localhost:4318; without it none are made. OpenTelemetry's other variables (OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER and so on) count as well.",
      ),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The same, as a whole address: http://localhost:4318/v1/traces."),
    OTEL_EXPORTER_OTLP_PROTOCOL: z
      .literal("http/protobuf", "must be http/protobuf, the only one that is spoken here")
      .optional()
      .describe("How they are sent: http/protobuf, and nothing else."),
    DATABASE_POOL: z.coerce
      .number()
      .int()
      .min(2)
      .max(100)
      .default(10)
      .describe("Connections to the own database."),
    JOBS_CONCURRENCY: wholeNumber(1, 1000, 60).describe(
      "Jobs that this process runs at once; most of them wait for other people's databases.",
    ),
    INNGEST_EVENT_KEY: optionalText.describe(
      "With INNGEST_SIGNING_KEY: jobs run on Inngest rather than in this process.",
    ),
    INNGEST_SIGNING_KEY: optionalText.describe("Proves that a call of a job comes from Inngest."),
    INNGEST_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The address of a self-hosted Inngest; Inngest Cloud unless set."),
    INNGEST_SERVE_ORIGIN: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("Where Inngest reaches this service, when that is not PUBLIC_URL, as http://plumbline:3000."),
    PUSHER_APP_ID: optionalText.describe(
      "With PUSHER_KEY, PUSHER_SECRET and PUSHER_HOST or PUSHER_CLUSTER: events go to Pusher, or to a service like it, rather than through this process.",
    ),
    PUSHER_KEY: optionalText.describe("The app's key there, which browsers are told."),
    PUSHER_SECRET: optionalText.describe("The app's secret there."),
    PUSHER_HOST: pusherHost
      .optional()
      .describe("Where a Pusher-compatible service is reached, by this process and by browsers alike."),
    PUSHER_CLUSTER: z
      .string()
      .regex(/^[a-z0-9-]+$/, "must be a cluster of Pusher, as eu")
      .optional()
      .describe("The cluster of the app at Pusher itself."),
    OIDC_ISSUER: issuer
      .optional()
      .describe(
        "An OpenID Connect provider, as it names itself: people may sign in there, JWTs of it count.",
      ),
    OIDC_CLIENT_ID: optionalText.describe("The service's name at the provider."),
    OIDC_CLIENT_SECRET: optionalText.describe("The service's secret at the provider."),
    OIDC_NAME: optionalText.describe("What the button on the sign-in page calls it; its host unless set."),
    OIDC_SCOPE: z
      .string()
      .regex(/(^| )openid( |$)/, "must contain openid")
      .optional()
      .describe("What the provider is asked for; openid profile email unless set."),
    OIDC_ROLE_CLAIM: optionalText.describe(
      "The claim that OIDC_ROLES looks at (realm_access.roles reaches inside); roles and groups unless set.",
    ),
    OIDC_ROLES: roleMapping
      .optional()
      .describe("Which value of the claim gives which role; the highest counts."),
    OIDC_DEFAULT_ROLE: z
      .enum(["Viewer", "none"])
      .optional()
      .describe("The role of people without any of these values; none, unless set, keeps them out."),
    OIDC_AUDIENCE: optionalText.describe("The audience that a JWT must name; OIDC_CLIENT_ID unless set."),
    TRUST_PROXY: trustedProxies
      .optional()
      .describe("Whose X-Forwarded-For counts: how many proxies stand before the service, or their CIDRs."),
    OUTBOUND_ALLOW: hostsAndNetworks
      .optional()
      .describe(
        "Hosts, addresses and CIDRs that REST API data sources, Slack, Teams and webhooks may reach although they are not public.",
      ),
    SMTP_URL: mailServer
      .optional()
      .describe("With MAIL_FROM: the server that e-mail is sent by, smtp://user:password@host:587."),
    MAIL_FROM: mailbox.optional().describe("Whom e-mail comes from: an address, or a name and <an address>."),
    APPROVAL_WORKFLOW: flag
      .default(false)
      .describe("on|off: changes of queries' SQL wait for approval, until an Admin sets it otherwise."),
    APPROVAL_FOUR_EYES: flag
      .default(false)
      .describe("on|off: nobody approves their own change, until an Admin sets it otherwise."),
    KEYS_MAY_MAKE_ADMINS: flag
      .default(false)
      .describe("on|off: API keys may create Admins and make users Admins; otherwise only people may."),
    // What no header can hold would be quoted, whole, by whoever refuses it.
    OPENAI_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
      .optional()
      .describe(
        "AI Actors think with a language model: OpenAI's, or that of OPENAI_BASE_URL. Without both, the built-in planner thinks.",
      ),
    OPENAI_BASE_URL: apiBase
      .optional()
      .describe(
        "A server that speaks OpenAI's chat completions, as http://localhost:11434/v1; some need no OPENAI_API_KEY.",
      ),
    LLM_MODEL: optionalText.describe(
      "Which of its models; needed with OPENAI_BASE_URL, and gpt-6.1-terra at OpenAI unless set.",
    ),
    LLM_OUTPUT: z
      .enum(["schema", "json"])
      .default("schema")
      .describe("schema|json: json where the server can be asked for JSON, but for no JSON Schema."),
    LLM_PRICE_INPUT: price.describe(
      "US dollars for a million tokens that the model reads; the list price unless set, where it is known. 0 where it costs nothing.",
    ),
    LLM_PRICE_OUTPUT: price.describe("US dollars for a million tokens that it writes."),
    LLM_TIMEOUT_S: wholeNumber(1, 290, 120).describe(
      "How many seconds one call of the model may take, with its repetitions after 429 and the like.",
    ),
    LLM_CONCURRENCY: wholeNumber(1, 1000, 4).describe(
      "Calls of the model that are under way at once, of all processes; others wait.",
    ),
    LLM_REQUESTS_PER_MINUTE: wholeNumber(1, 100_000, 60).describe(
      "Calls of the model within any minute, of all processes; others wait.",
    ),
    STOP_DELAY_S: wholeNumber(0, 300, 0).describe(
      "For how many seconds a process that is asked to stop still takes requests, while /ready says that it is stopping: as long as a load balancer needs to see it.",
    ),
    STATISTICS_CACHE_S: z.coerce
      .number()
      .int()
      .min(0)
      .max(3600)
      .default(30)
      .describe(
        "For how many seconds Control Tower's statistics are kept; 0 calculates them anew each time.",
      ),
    EXECUTIONS_KEPT_DAYS: days(91, 400).describe(
      "For how many days executions and their anomalies are kept, at least 91; or off. The newest 20 of each subscription stay.",
    ),
    EVALUATIONS_KEPT_DAYS: days(91, 400).describe(
      "The same of evaluations and their rules' scores. The newest 30 of each contract stay.",
    ),
    RULE_RESULTS_KEPT_DAYS: days(1, 90).describe(
      "For how many days it is kept what each rule of an evaluation expected, found and said; or off, for as long as the evaluation. A contract's newest stay.",
    ),
    SAMPLES_KEPT_DAYS: wholeNumber(1, 3650, 30).describe("For how many days failing rows are kept."),
    AUDIT_KEPT_DAYS: days(365, null).describe(
      "For how many days entries of the audit log are kept, at least 365; for ever unless set.",
    ),
    RATE_LIMIT_PRINCIPAL: perMinute(60_000).describe(
      "Requests that one user or key may make in a minute, of each process; off for no limit.",
    ),
    RATE_LIMIT_ADDRESS: perMinute(60_000).describe(
      "Requests that one address may make in a minute without saying who they are, of each process; or off.",
    ),
    RATE_LIMIT_REFUSED: perMinute(6_000).describe(
      "Keys and JWTs of one address that may be refused in a minute, by each process; or off.",
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
    message: "is needed by SMTP_URL: set both, or neither to send no e-mail",
  })
  .refine((s) => !s.MAIL_FROM || Boolean(s.SMTP_URL), {
    path: ["SMTP_URL"],
    message: "is needed by MAIL_FROM: set both, or neither to send no e-mail",
  })
  .refine((s) => !s.INNGEST_BASE_URL || Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_BASE_URL"],
    message: "needs INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY as well",
  })
  .refine((s) => !s.INNGEST_SERVE_ORIGIN || Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_SERVE_ORIGIN"],
    message: "needs INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY as well",
  })
  .refine((s) => !s.OPENAI_BASE_URL || Boolean(s.LLM_MODEL), {
    path: ["LLM_MODEL"],
    message: "is needed by OPENAI_BASE_URL: which of its models thinks",
  })
  .refine((s) => !s.LLM_MODEL || Boolean(s.OPENAI_API_KEY ?? s.OPENAI_BASE_URL), {
    path: ["LLM_MODEL"],
    message: "needs OPENAI_API_KEY, or OPENAI_BASE_URL",
  })
  .refine((s) => (s.LLM_PRICE_INPUT === undefined) === (s.LLM_PRICE_OUTPUT === undefined), {
    path: ["LLM_PRICE_INPUT"],
    message: "and LLM_PRICE_OUTPUT go together: set both, or neither for the list price",
  })
  .superRefine((s, context) => {
    const missing = pusherSettings.find((name) => s[name] === undefined);
    const given = ([...pusherSettings, "PUSHER_HOST", "PUSHER_CLUSTER"] as const).find((name) => s[name]);
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (given && missing)
      refuse(missing, `is needed by ${given}: set all, or none for the hub in this process`);
    else if (given && !s.PUSHER_HOST && !s.PUSHER_CLUSTER)
      refuse("PUSHER_HOST", "or PUSHER_CLUSTER is needed by PUSHER_APP_ID");
    else if (s.PUSHER_HOST && s.PUSHER_CLUSTER)
      refuse("PUSHER_HOST", "and PUSHER_CLUSTER exclude each other: set one");
  })
  .superRefine((s, context) => {
    const given = oidcSettings.filter((name) => s[name] !== undefined);
    const missing = oidcSettings.slice(0, 3).filter((name) => s[name] === undefined);
    if (given.length > 0 && missing.length > 0)
      context.addIssue({ code: "custom", path: [missing[0] ?? ""], message: `is needed by ${given[0]}` });
    else if (given.length > 0 && !s.OIDC_ROLES && s.OIDC_DEFAULT_ROLE !== "Viewer")
      context.addIssue({
        code: "custom",
        path: ["OIDC_ROLES"],
        message: "is needed unless OIDC_DEFAULT_ROLE is Viewer: nobody could sign in",
      });
  });

export type Settings = z.infer<typeof settings>;

/** A setting that cannot be used; `message` is one line for the operator, naming the variable. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Reads and checks all settings. Throws SettingError with the first thing that is wrong. */
export function readSettings(from: Record<string, string | undefined> = process.env): Settings {
  const present = Object.fromEntries(
    Object.entries(from).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = settings.safeParse(present);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingError(`${issue?.path.join(".")}: ${issue?.message}`);
}

let cached: Settings | undefined;

/** The settings of this process, checked at first use. */
export function env(): Settings {
  cached ??= readSettings();
  return cached;
}

/** The address at which people reach the service, without a trailing slash. */
export function publicUrl(s: Settings = env()): string {
  return (s.PUBLIC_URL ?? `http://localhost:${s.PORT}`).replace(/\/+$/, "");
}
