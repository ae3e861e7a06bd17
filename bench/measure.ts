import { Agent, get, type IncomingHttpHeaders } from "node:http";

/** Alternatives for the same task, measured in turns in one run: what counts is their ratio, not the machine. */

/**
 * The figures of each alternative, round by round. Each round starts with a different one; a warm-up round is dropped.
 */
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

/** The value that this share of the figures does not exceed. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

/** Prints a line of a benchmark. */
export type Say = (line: string) => void;

/** The duration in milliseconds. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Prints one alternative's median, minimum, and maximum. */
export function printFigures(say: Say, what: string, figures: readonly number[] = []): void {
  const ms = (figure: number) => figure.toFixed(0);
  say(
    `  ${what.padEnd(44)}${ms(median(figures)).padStart(7)}   (${ms(Math.min(...figures))} to ${ms(Math.max(...figures))})`,
  );
}

/** Prints figures whose outliers matter: the median, the 95th percentile, and the maximum. */
export function printSpread(say: Say, what: string, figures: readonly number[]): void {
  const ms = (figure: number) => figure.toFixed(0).padStart(7);
  say(
    `  ${what.padEnd(44)}${ms(median(figures))}   p95 ${ms(percentile(figures, 0.95))}   most ${ms(Math.max(...figures))}`,
  );
}

/** Prints the median of the rounds' ratios: what disturbs one round disturbs both of its sides. */
export function ratio(
  say: Say,
  what: string,
  figures: number[] = [],
  others: number[] = [],
  goal: string,
): void {
  const ratios = figures.map((figure, round) => figure / (others[round] ?? Number.NaN));
  say(
    `  ${what.padEnd(44)}${median(ratios).toFixed(2).padStart(7)}   (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; goal: ${goal})`,
  );
}

/** Requests per second over this many connections, each of which sends its next request after the previous response. */
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
