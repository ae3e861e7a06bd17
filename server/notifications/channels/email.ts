import { connect, type Socket } from "node:net";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { createTransport } from "nodemailer";
import SMTPTransport from "nodemailer/lib/smtp-transport/index.js";
import { env, publicUrl } from "../../env.ts";
import { type Channel, failed, later, type Message, type Outcome, sent } from "./channel.ts";
import { emailHtml, emailText } from "./email-body.ts";
import { networkFailure } from "./network-failure.ts";

/** What is larger as plain text is attached compressed. */
const mostPlainBytes = 5 * 1024 * 1024;

/** One e-mail to one address, by the server that the operator has set. */
export const email: Channel = async ({ name, destination }, message, timeoutMs) => {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL || !MAIL_FROM)
    return failed("No mail server is configured: an operator can set SMTP_URL and MAIL_FROM");
  const attached = await attachmentOf(message);
  const around = { recipientName: name, attachmentName: attached?.filename ?? null };
  const { transport, cutOff, isCutOff } = mailServer(SMTP_URL);
  const timer = setTimeout(cutOff, timeoutMs);
  try {
    await transport.sendMail({
      from: MAIL_FROM,
      // An object, so that nothing in it is read as a list of addresses.
      to: { name: "", address: destination },
      subject: message.content.title,
      messageId: `<${message.id}@${new URL(publicUrl()).hostname}>`,
      text: emailText(message.content, around),
      html: emailHtml(message.content, around),
      // No out-of-office notes, please.
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      attachments: attached ? [attached] : [],
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return sent;
  } catch (error) {
    return isCutOff() ? later("The mail server did not answer in time") : refusalBy(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
};

type GotSocket = (error: Error | null, made: { connection: Socket } | null) => void;

/**
 * A connection of its own for each mail, whose socket is ours: nodemailer has limits for its silences, but none for
 * the whole, and one server that answers a byte at a time must not hold up everything.
 */
function mailServer(url: string) {
  let socket: Socket | undefined;
  let isLate = false;
  const { hostname } = new URL(url);
  const isThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
  const smtp = new SMTPTransport({
    url,
    // Nobody vouches for the certificate of a relay on this machine, nor is anybody between.
    ...(isThisMachine && { tls: { rejectUnauthorized: false } }),
    getSocket({ host = "localhost", port, secure }: SMTPTransport.Options, callback: GotSocket) {
      const given = connect({ host, port: Number(port ?? (secure ? 465 : 587)) });
      const refused = (error: Error) => callback(error, null);
      socket = given.once("error", refused).once("connect", () => {
        given.off("error", refused);
        callback(null, { connection: given });
      });
    },
  });
  const cutOff = () => {
    isLate = true;
    socket?.destroy(new Error("The mail server took too long"));
  };
  return { transport: createTransport(smtp), cutOff, isCutOff: () => isLate };
}

/**
 * Its 4xx are for now, its 5xx for good when they are about this mail. A refused login, or a server that takes nobody's
 * mail, is the operator's to mend, and may be by the next try.
 */
function refusalBy(error: unknown): Outcome {
  const { code, response, responseCode } = error as {
    code?: string;
    response?: string;
    responseCode?: number;
  };
  if (code === "EAUTH") return later("The mail server did not accept the login in SMTP_URL");
  if (!responseCode) return later(networkFailure("The mail server", error));
  const words = (response ?? "").replace(/\s+/g, " ").trim().slice(0, 300);
  const reason = `The mail server answered ${words || responseCode}`;
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  return responseCode >= 500 && isAboutMail ? failed(reason) : later(reason);
}

/** As a plain file where its size allows, which more people can open. */
async function attachmentOf({ attachment }: Message) {
  if (!attachment) return null;
  const { name, gzipped } = attachment;
  const plain = await promisify(gunzip)(gzipped, { maxOutputLength: mostPlainBytes }).catch(() => null);
  return plain
    ? { filename: name, content: plain, contentType: "text/csv; charset=utf-8" }
    : { filename: `${name}.gz`, content: gzipped, contentType: "application/gzip" };
}
