import { z } from "zod";

const flag = z.enum(["on", "off"]).transform((value) => value === "on");

const optionalText = z.string().trim().min(1).optional();

/**
 * Every setting of the service, by the name of its environment variable. Each is documented where it is
 * declared; an empty variable counts as absent.
 */
const settings = z
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
    NEXTAUTH_SECRET: z
      .string()
      .min(32, "must have at least 32 characters")
      .optional()
      .describe("Signs session cookies. Made once in DATA_DIR in embedded mode."),
    ADMIN_EMAIL: z
      .email()
      .optional()
      .describe("With ADMIN_PASSWORD: creates the first Admin, without /setup."),
    ADMIN_PASSWORD: z.string().min(10, "must have at least 10 characters").optional(),
    DEMO: flag
      .optional()
      .describe("on|off: load the demo project. On by default with the embedded database."),
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .default("info")
      .describe("How much is logged."),
    DATABASE_POOL: z.coerce
      .number()
      .int()
      .min(2)
      .max(100)
      .default(10)
      .describe("Connections to the own database."),
    INNGEST_EVENT_KEY: optionalText.describe(
      "With INNGEST_SIGNING_KEY: jobs run on Inngest rather than in this process.",
    ),
    INNGEST_SIGNING_KEY: optionalText.describe("Proves that a call of a job comes from Inngest."),
    INNGEST_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The address of a self-hosted Inngest; Inngest Cloud unless set."),
  })
  .refine((s) => Boolean(s.ADMIN_EMAIL) === Boolean(s.ADMIN_PASSWORD), {
    path: ["ADMIN_EMAIL"],
    message: "and ADMIN_PASSWORD go together: set both or neither",
  })
  .refine((s) => Boolean(s.INNGEST_EVENT_KEY) === Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_EVENT_KEY"],
    message: "and INNGEST_SIGNING_KEY go together: set both, or neither for the embedded engine",
  })
  .refine((s) => !s.INNGEST_BASE_URL || Boolean(s.INNGEST_SIGNING_KEY), {
    path: ["INNGEST_BASE_URL"],
    message: "needs INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY as well",
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
