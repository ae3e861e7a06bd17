import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { settings } from "../server/env.ts";

/** Writes docs/settings.md from server/env.ts, where every setting is declared: `npm run docs:settings`. */
export const settingsPage = join(import.meta.dirname, "../docs/settings.md");

/** The groups of settings by their names; the first match counts. */
const groups: [title: string, names: RegExp][] = [
  ["Process", /^(PORT|HOST|PUBLIC_URL|DATA_DIR|DEMO|TRUST_PROXY|STOP_)/],
  ["Database and secrets", /^(DATABASE_|ENCRYPTION_|NEXTAUTH_)/],
  ["People and sign-in", /^(ADMIN_|OIDC_|SESSION_)/],
  ["API keys", /^KEYS_/],
  ["Background work", /^(JOBS_|INNGEST_)/],
  ["Retention", /_KEPT_/],
  ["Notifications and outbound traffic", /^(SMTP_|MAIL_|OUTBOUND_)/],
  ["Real-time events", /^PUSHER_/],
  ["Language model", /^(OPENAI_|LLM_)/],
  ["Approval of query changes", /^APPROVAL_/],
  ["Limits and caches", /^(RATE_LIMIT_|STATISTICS_)/],
  ["Logs, metrics and traces", /^(LOG_|ACCESS_|METRICS_|OTEL_)/],
  ["Others", /./],
];

type Setting = { name: string; values: string; byDefault: string; description: string };

/** A JSON Schema from Zod. */
type Described = {
  type?: string;
  format?: string;
  enum?: string[];
  const?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  anyOf?: Described[];
};

function settingOf(name: string, schema: z.ZodType): Setting {
  const described = (io: "input" | "output") =>
    z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Described;
  const [written, read] = [described("input"), described("output")];
  return {
    name,
    values: valuesOf(written, read),
    byDefault: defaultOf(written, read.default),
    description: sentence((schema.description ?? "").replace(/^[a-z]+\|[a-z|]+: /, "")),
  };
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function valuesOf(written: Described, read: Described): string {
  const choices = written.enum ?? (written.const === undefined ? [] : [written.const]);
  if (choices.length > 0) return choices.map((each) => `\`${each}\``).join(", ");
  const number = [read, ...(read.anyOf ?? [])].find(({ type }) => type === "number" || type === "integer");
  const orOff = written.pattern?.startsWith("^(off|") ? ", or `off`" : "";
  if (number) return `a number${rangeOf(number)}${orOff}`;
  if (orOff || written.pattern?.startsWith("^\\d")) return `a number${orOff}`;
  if (written.format === "uri") return "an address";
  if (written.format === "email") return "an email address";
  return (written.minLength ?? 0) > 1 ? `text of at least ${written.minLength} characters` : "text";
}

function rangeOf({ minimum, maximum }: Described): string {
  if (minimum === undefined) return "";
  return maximum === undefined ? `, at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function defaultOf(written: Described, value: unknown): string {
  if (value === undefined) return "";
  const isSwitch = written.enum?.includes("off") || written.pattern?.startsWith("^(off|");
  if (isSwitch && (value === false || value === null)) return "`off`";
  return `\`${value === true ? "on" : value}\``;
}

/** A cell of a table. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function section(title: string, rows: Setting[]): string {
  const lines = rows.map(({ name, values, byDefault, description }) =>
    ["", ` \`${name}\` `, ` ${cell(values)} `, ` ${byDefault} `, ` ${cell(description)} `, ""].join("|"),
  );
  return [
    `## ${title}`,
    "",
    "| Setting | Values | Default | Description |",
    "|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** The text of the page, and the settings that lack a description or a group. */
export function settingsReference(): { text: string; lacking: string[] } {
  const all = Object.entries(settings.shape).map(([name, schema]) => settingOf(name, schema as z.ZodType));
  const byGroup = Map.groupBy(all, ({ name }) => groups.find(([, names]) => names.test(name))?.[0]);
  const sections = groups.flatMap(([title]) => {
    const rows = byGroup.get(title);
    return rows ? [section(title, rows)] : [];
  });
  const text = `# Settings

<!-- Written by \`npm run docs:settings\` from server/env.ts: change it there. -->

Settings are environment variables. All are optional: \`npm start\` needs none. An empty variable counts as unset. An invalid value stops the start with one line that names the variable. Settings are read once, when the process starts.

Settings whose names end in KEY, SECRET, PASSWORD, or TOKEN are secrets (except \`PUSHER_KEY\`), and \`DATABASE_URL\` and \`SMTP_URL\` may contain a password: use your platform's way to pass secrets. None of them is ever logged. What an Admin sets in the browser is stored in the database and overrides the setting here.

${sections.join("\n\n")}
`;
  const lacking = all.filter(({ description }) => description === "").map(({ name }) => name);
  return { text, lacking: [...lacking, ...(byGroup.get("Others") ?? []).map(({ name }) => name)] };
}

if (import.meta.filename === process.argv[1]) {
  const { text } = settingsReference();
  if (readFileSync(settingsPage, { encoding: "utf8", flag: "a+" }) !== text)
    writeFileSync(settingsPage, text);
}
