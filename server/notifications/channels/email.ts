import { connect, type Socket } from "node:net";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { createTransport } from "nodemailer";
import SMTPTransport from "nodemailer/lib/smtp-transport/index.js";
import { env, publicUrl } from "../../env.ts";
import { storable } from "../../text.ts";
import { chartPicture } from "../picture/chart-picture.ts";
import { type Channel, failed, later, type Message, type Outcome, sent } from "./channel.ts";
import { chartId, emailHtml, emailText } from "./email-body.ts";
import { addressOf } from "./link.ts";
import { networkFailure } from "./network-failure.ts";

/** Larger attachments are compressed. */
const maxPlainBytes = 5 * 1024 * 1024;

/** One email to one address, through the operator's server. */
export const email: Channel = async ({ name, destination }, message, timeoutMs) => {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL || !MAIL_FROM)
    return failed("No mail server is configured: an operator can set SMTP_URL and MAIL_FROM");
  const attached = await attachmentOf(message);
  const around = {
    recipientName: name,
    attachmentName: attached?.filename ?? null,
    unsubscribePath: message.unsubscribe?.page,
  };
  const { transport, cutOff, isCutOff } = mailServer(SMTP_URL);
  const timer = setTimeout(cutOff, timeoutMs);
  try {
    const { response } = await transport.sendMail({
      from: MAIL_FROM,
      // An object, so that nothing in it is parsed as a list of addresses.
      to: { name: "", address: destination },
      subject: message.content.title,
      messageId: `<${message.id}@${new URL(publicUrl()).hostname}>`,
      text: emailText(message.content, around),
      html: emailHtml(message.content, around),
      headers: {
        // Suppresses out-of-office replies.
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        ...unsubscribeHeaders(message),
      },
      attachments: [...(attached ? [attached] : []), ...chartOf(message)],
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return sent(replyWords(response, destination) || "Accepted");
  } catch (error) {
    return isCutOff() ? later("The mail server did not respond in time") : refusalBy(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
};

/** Shown in the text, rather than listed as a file. */
function chartOf({ content: { chart } }: Message) {
  if (!chart) return [];
  return [
    {
      ...{ filename: "chart.png", contentType: "image/png", cid: chartId },
      ...{ content: chartPicture(chart), contentDisposition: "inline" as const },
    },
  ];
}

/** One-click unsubscribing (RFC 8058), which mail programs only do over HTTPS. */
function unsubscribeHeaders({ unsubscribe }: Message): Record<string, string> {
  if (!unsubscribe) return {};
  const address = addressOf(unsubscribe.oneClick);
  return {
    "List-Unsubscribe": `<${address}>`,
    ...(address.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
}

type GotSocket = (error: Error | null, made: { connection: Socket } | null) => void;

/**
 * A separate connection for each mail, on our own socket: nodemailer has idle timeouts but no overall one, and a
 * server that responds one byte at a time must not block everything.
 */
function mailServer(url: string) {
  let socket: Socket | undefined;
  let isLate = false;
  const { hostname } = new URL(url);
  const isThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
  const smtp = new SMTPTransport({
    url,
    // A relay on this machine needs no trusted certificate: nobody is in between.
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
 * 4xx responses are temporary; 5xx are permanent if they concern this mail. A rejected login, or a server that
 * accepts no mail at all, is for the operator to fix and may work on the next attempt.
 */
function refusalBy(error: unknown): Outcome {
  const { code, response, responseCode } = error as {
    code?: string;
    response?: string;
    responseCode?: number;
  };
  if (code === "EAUTH") return later("The mail server rejected the login in SMTP_URL");
  if (!responseCode) return later(networkFailure("The mail server", error));
  const words = (response ?? "").replace(/\s+/g, " ").trim().slice(0, 300);
  const reason = `The mail server returned ${words || responseCode}`;
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  return responseCode >= 500 && isAboutMail ? failed(reason) : later(reason);
}

/** A server's reply in one line, without the address, which some repeat: `250 2.0.0 Ok: queued as 4F1B2`. */
const replyWords = (reply: string, destination: string) =>
  storable(reply.replaceAll(destination, "the address").replace(/\s+/g, " ").trim(), 300);

/** Uncompressed if small enough, which more people can open. */
async function attachmentOf({ attachment }: Message) {
  if (!attachment) return null;
  const { name, gzipped } = attachment;
  const plain = await promisify(gunzip)(gzipped, { maxOutputLength: maxPlainBytes }).catch(() => null);
  return plain
    ? { filename: name, content: plain, contentType: "text/csv; charset=utf-8" }
    : { filename: `${name}.gz`, content: gzipped, contentType: "application/gzip" };
}
