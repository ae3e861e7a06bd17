import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { selfSigned } from "../../test/factories/certificates.ts";
import { aContent } from "../../test/factories/notifications.ts";
import { aMailServer } from "../../test/mail-server.ts";
import type { NotificationContent } from "../content.ts";
import { gzippedCsv } from "../csv.ts";
import type { Message } from "./channel.ts";
import { email } from "./email.ts";

/** The server's response to each command, unless overridden. */
const says = { rcpt: null as null | { code: number; text: string }, isMute: false, greeting: 0, reply: "" };
let server: Awaited<ReturnType<typeof aMailServer>>;

beforeAll(async () => {
  const settings: SMTPServerOptions = {
    onConnect: (_, done) => {
      if (says.greeting) done(Object.assign(new Error("Not today"), { responseCode: says.greeting }));
      else if (!says.isMute) done();
    },
    onRcptTo: (_, __, done) =>
      says.rcpt ? done(Object.assign(new Error(says.rcpt.text), { responseCode: says.rcpt.code })) : done(),
  };
  server = await aMailServer(settings, () => says.reply || undefined);
  process.env.SMTP_URL = server.url;
  process.env.MAIL_FROM = "Plumbline <alerts@example.com>";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
});
beforeEach(() => {
  Object.assign(says, { rcpt: null, isMute: false, greeting: 0, reply: "" });
  server.mails.length = 0;
});
afterAll(() => server.stop());

const target = { name: "The team", destination: "team@example.com", signingSecret: null };
const message = (content: Partial<NotificationContent> = {}, more: Partial<Message> = {}): Message => ({
  id: "dlv_17_x",
  projectId: 1,
  cause: { kind: "Execution", id: 5 },
  content: aContent(content),
  createdAt: new Date("2030-01-31T12:00:00Z"),
  attachment: null,
  ...more,
});

async function received(content: Partial<NotificationContent> = {}, more: Partial<Message> = {}) {
  expect(await email(target, message(content, more), 5000)).toMatchObject({ isSent: true });
  const [mail] = server.mails;
  if (!mail || server.mails.length > 1) throw new Error("There is not one mail");
  return { ...mail, html: mail.mail.html ?? "", text: mail.mail.text ?? "" };
}

test("a mail contains everything, as HTML and as text, for one recipient", async () => {
  const { mail, from, to, html, text } = await received({
    groups: [{ title: "Origin is a known airport", facts: [{ label: "Observed", value: "312 orphans" }] }],
    table: {
      columns: ["origin", "n"],
      rows: [
        ["XNA", 12],
        ["SFO", null],
      ],
      rowCount: 312,
    },
    note: "Small print",
  });
  expect([from, to]).toEqual(["alerts@example.com", ["team@example.com"]]);
  expect(mail).toMatchObject({
    subject: "[Data Quality] Orders",
    from: { name: "Plumbline", address: "alerts@example.com" },
    to: [{ address: "team@example.com" }],
    messageId: "<dlv_17_x@plumbline.example.com>",
    attachments: [],
  });
  expect(mail.headers).toContainEqual(
    expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
  );
  for (const part of [html, text])
    for (const said of [
      ...["[Data Quality] Orders", "Critical", "Scored 64.29, below the threshold of 80."],
      ...["Score", "64.29", "public.orders", "Origin is a known airport", "312 orphans"],
      ...["The first 2 of 312 rows", "XNA", "Small print", "The team"],
      "https://plumbline.example.com/data-quality/contracts/7",
    ])
      expect(part).toContain(said);
  expect(text).toContain("origin   n\nXNA     12\nSFO      –");
});

test("what can be done is linked in both parts", async () => {
  const { html, text } = await received({
    actions: [
      { label: "Acknowledge", path: "/act/acknowledge/4" },
      { label: "Silence 1 h", path: "/act/silence-subscription/7?span=hour" },
    ],
  });
  const acknowledge = "https://plumbline.example.com/act/acknowledge/4";
  const silence = "https://plumbline.example.com/act/silence-subscription/7?span=hour";
  expect(text).toContain(`Acknowledge: ${acknowledge}\nSilence 1 h: ${silence}\n`);
  expect(html).toMatch(new RegExp(`<a href="${acknowledge}"[^>]*>Acknowledge</a>`));
  expect(html).toContain(`<a href="${silence}"`);
});

test("the chart is a picture inside the mail, with its words for who cannot see it", async () => {
  const chart = {
    name: "Rows of the last 2 runs",
    values: [0, 3],
    limit: { is: "AtMost" as const, value: 0 },
  };
  const { mail, html, text } = await received({ chart });
  const words = "Rows of the last 2 runs: 0 to 3, now 3. At most 0 is expected.";
  expect(html).toContain(`<img src="cid:chart@plumbline" alt="${words}"`);
  expect(text).not.toContain("chart@plumbline");
  expect(mail.attachments).toMatchObject([
    { mimeType: "image/png", disposition: "inline", contentId: "<chart@plumbline>", related: true },
  ]);
  expect(
    Buffer.from(mail.attachments[0]?.content as ArrayBuffer)
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
});

test("text from a database is always text, never HTML or another header", async () => {
  const evil = `<script>alert(1)</script><img src=x onerror=alert(1)> "'&\r\nBcc: all@example.com`;
  const { mail, html, to } = await received({
    title: evil.replace("\r\n", " "),
    summary: evil,
    facts: [{ label: evil, value: evil }],
    groups: [{ title: evil, facts: [{ label: evil, value: evil }] }],
    table: { columns: [evil], rows: [[evil]], rowCount: 1 },
    link: { label: evil, path: `/x?"><script>` },
    note: evil,
  });
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(to).toEqual(["team@example.com"]);
  expect([mail.cc, mail.bcc].flat().filter(Boolean)).toEqual([]);
});

test("all rows are attached as CSV, as a line in the mail says", async () => {
  const rows = [
    ["=1+1", 'Ω, "x"\nsecond line'],
    ["2", ""],
  ];
  const gzipped = (await gzippedCsv({ fileName: "x", columns: ["a", "b"], rows }, 1e6)) ?? Buffer.alloc(0);
  const { mail, html, text } = await received({}, { attachment: { name: "Späte Flüge.csv", gzipped } });
  const [file] = mail.attachments;
  expect(file).toMatchObject({
    filename: "Späte Flüge.csv",
    mimeType: "text/csv",
    disposition: "attachment",
  });
  expect(parse(Buffer.from(file?.content as ArrayBuffer).toString())).toEqual([
    ["a", "b"],
    ["'=1+1", rows[0]?.[1]],
    ["2", ""],
  ]);
  for (const part of [html, text]) expect(part).toContain("All rows are attached as Späte Flüge.csv.");
});

test("the server's reply is kept, without the address", async () => {
  expect(await email(target, message(), 5000)).toEqual({
    isSent: true,
    answer: expect.stringMatching(/^250 /),
  });
  says.reply = `2.0.0 Ok ${target.destination}: queued as 4F1B2`;
  expect(await email(target, message(), 5000)).toEqual({
    isSent: true,
    answer: "250 2.0.0 Ok the address: queued as 4F1B2",
  });
});

test("a file that is large as text stays compressed", async () => {
  const gzipped = gzipSync("x".repeat(6 * 1024 * 1024));
  const { mail } = await received({}, { attachment: { name: "rows.csv", gzipped } });
  expect(mail.attachments).toMatchObject([{ filename: "rows.csv.gz", mimeType: "application/gzip" }]);
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(gzipped)).toBe(true);
});

describe("the server's response decides what follows:", () => {
  test.each([
    [550, "5.1.1 No such user", true],
    [553, "5.7.1 Not you", true],
    [450, "4.2.0 Greylisted, come again", false],
    [421, "4.3.2 Going down", false],
  ])("%i %s", async (code, text, isFinal) => {
    says.rcpt = { code, text };
    const outcome = await email(target, message(), 5000);
    expect(outcome).toMatchObject({
      isSent: false,
      isFinal,
      reason: `The mail server returned ${code} ${text}`,
    });
    expect(server.mails).toEqual([]);
  });

  test("a server that accepts no mail at all may accept it later", async () => {
    says.greeting = 554;
    expect(await email(target, message(), 5000)).toMatchObject({ isFinal: false });
  });

  test("a server that does not respond is given up after the time limit", async () => {
    says.isMute = true;
    const startedAt = Date.now();
    expect(await email(target, message(), 300)).toEqual({
      isSent: false,
      isFinal: false,
      reason: "The mail server did not respond in time",
    });
    expect(Date.now() - startedAt).toBeLessThan(2000);
  });
});

describe("other settings:", () => {
  /**
   * `env()` caches settings, so each test loads the modules again.
   */
  async function withSettings(settings: Record<string, string>) {
    vi.resetModules();
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const { email: again } = await import("./email.ts");
    const outcome = await again(target, message(), 5000);
    vi.unstubAllEnvs();
    return outcome;
  }

  test("without a mail server there is no retry", async () => {
    expect(await withSettings({ SMTP_URL: "", MAIL_FROM: "" })).toEqual({
      isSent: false,
      isFinal: true,
      reason: "No mail server is configured: an operator can set SMTP_URL and MAIL_FROM",
    });
  });

  test("an unreachable server may be reachable later; its address and login are not revealed", async () => {
    expect(await withSettings({ SMTP_URL: "smtp://me:hunter2@127.0.0.1:1" })).toEqual({
      isSent: false,
      isFinal: false,
      reason: "The mail server refused the connection",
    });
  });

  test("smtps starts with TLS", async () => {
    const secure = await aMailServer({ secure: true, ...selfSigned });
    expect(await withSettings({ SMTP_URL: `smtps://127.0.0.1:${secure.port}` })).toEqual({
      isSent: true,
      answer: expect.stringMatching(/^250 /),
    });
    expect(secure.mails).toHaveLength(1);
    await secure.stop();
  });

  test("a login is used, over TLS if the server offers it; a rejected one is for the operator to fix", async () => {
    const logins: [string | undefined, boolean][] = [];
    const strict = await aMailServer({
      authOptional: false,
      disabledCommands: [],
      ...selfSigned,
      onAuth: ({ username, password }, session, done) => {
        logins.push([username, session.secure]);
        if (password === "right p@ss") done(null, { user: username });
        else done(new Error("Wrong: hunter2"));
      },
    });
    const url = (password: string) => `smtp://me:${encodeURIComponent(password)}@127.0.0.1:${strict.port}`;
    expect(await withSettings({ SMTP_URL: url("hunter2") })).toEqual({
      isSent: false,
      isFinal: false,
      reason: "The mail server rejected the login in SMTP_URL",
    });
    expect(await withSettings({ SMTP_URL: url("right p@ss") })).toEqual({
      isSent: true,
      answer: expect.stringMatching(/^250 /),
    });
    expect(strict.mails).toHaveLength(1);
    expect(logins).toEqual([
      ["me", true],
      ["me", true],
    ]);
    await strict.stop();
  });
});
