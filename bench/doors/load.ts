import { Agent, request } from "node:http";

export type Load = { url: URL; method: string; headers: Record<string, string>; body: string | undefined };

export const loadOf = (
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Load => ({ url: new URL(url), method: body === undefined ? "GET" : "POST", headers, body });

/**
 * Sends so many requests over these connections, each of which sends its next one after the last response; returns how many
 * milliseconds each took. Throws if one is not answered with 200.
 */
export async function latencies(
  load: Load,
  { connections, requests }: { connections: number; requests: number },
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: number[] = [];
  let left = requests;
  const client = async () => {
    while (left-- > 0) {
      const started = performance.now();
      await send(load, agent);
      took.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return took;
}

function send({ url, method, headers, body }: Load, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${method} ${url.pathname} answered ${response.statusCode}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
