import { Agent, get, type IncomingHttpHeaders } from "node:http";

/** Two or more ways to do the same, measured in turns in one run: what counts is their ratio, not the machine. */

/** Each way's figures, round by round; every round begins with another way, and one more before them does not count. */
export async function interleave(
  ways: readonly (() => Promise<number>)[],
  rounds: number,
): Promise<number[][]> {
  const figures = ways.map(() => [] as number[]);
  for (let round = -1; round < rounds; round++)
    for (const step of ways.keys()) {
      const index = (step + round + 1) % ways.length;
      const figure = await ways[index]?.();
      if (figure !== undefined && round >= 0) figures[index]?.push(figure);
    }
  return figures;
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** Requests a second that so many connections get answered, each sending its next when it has its answer. */
export async function throughput(
  url: string,
  headers: Record<string, string>,
  { connections, ms }: { connections: number; ms: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const end = started + ms;
  let count = 0;
  const client = async () => {
    while (performance.now() < end) {
      await request(url, headers, agent);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return count / seconds;
}

function request(url: string, headers: Record<string, string>, agent: Agent): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(response.headers);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).once("error", reject);
  });
}
