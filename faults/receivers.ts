import { setTimeout as delay } from "node:timers/promises";
import PostalMime from "postal-mime";
import { anHttpReceiver } from "../server/test/http-receiver.ts";
import { aMailServer } from "../server/test/mail-server.ts";
import type { Random } from "./random.ts";

/** A message that has arrived completely. `id` is what the product promises to keep: see docs/notifications.md. */
export type Received = { id: string; to: string; title: string };

/**
 * A mail server and a webhook endpoint that keep what arrives. Both pause between a message's last byte and their
 * response: a sender killed in between does not know that it has arrived.
 */
export async function startReceivers(random: Random, arrives: (what: "mail" | "webhook") => void) {
  const received: Received[] = [];
  const pause = () => delay(random.chance(0.3) ? random.between(50, 400) : 0);
  const mailServer = await aMailServer({
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        const [to] = session.envelope.rcptTo;
        const id = (mail.messageId ?? "").replace(/^<|@.*$/g, "");
        received.push({ id, to: to?.address ?? "", title: mail.subject ?? "" });
        arrives("mail");
        await pause();
        done();
      });
    },
  });
  const endpoint = await anHttpReceiver(async (response, { path, headers, json }) => {
    received.push({ id: String(headers["webhook-id"]), to: path.slice(1), title: json.data.title });
    arrives("webhook");
    await pause();
    response.end("ok");
  });
  return {
    received,
    mailUrl: mailServer.url,
    webhookUrl: endpoint.url,
    stop: () => Promise.all([mailServer.stop(), endpoint.stop()]),
  };
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;
