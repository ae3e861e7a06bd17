import { parseArgs } from "node:util";

export type Options = { kills: number; killsPerRound: number; seed: number };

/** `--kills 200 --seed 7`: how many times the service is killed, and the seed of all random choices. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: "string", default: "50" },
      "kills-per-round": { type: "string", default: "25" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  return {
    kills: wholeNumber("--kills", values.kills),
    killsPerRound: wholeNumber("--kills-per-round", values["kills-per-round"]),
    seed: wholeNumber("--seed", values.seed),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text) || (Number(text) === 0 && name !== "--seed"))
    throw new Error(`${name} must be a whole number from 1`);
  return Number(text);
}
