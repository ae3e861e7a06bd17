import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { inTurn } from "./hashing-queue.ts";
import { passwordCost as cost } from "./password-cost.ts";

const deriveNow = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
) => Promise<Buffer>;

const derive: typeof deriveNow = (...all) => inTurn(() => deriveNow(...all));

const keyLength = 32;

const options = ({ N, r, p }: typeof cost): ScryptOptions => ({ N, r, p, maxmem: 256 * N * r });

/** `scrypt$N$r$p$salt$hash`, so that stored hashes survive a change of parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize("NFKC"), salt, keyLength, options(cost));
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Takes equally long without an account or password as for a wrong password, so that timing reveals nothing. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = stored?.split("$") ?? [];
  const usedCost = stored ? { N: Number(N), r: Number(r), p: Number(p) } : cost;
  const derived = await derive(
    password.normalize("NFKC"),
    Buffer.from(salt, "base64"),
    keyLength,
    options(usedCost),
  );
  const expected = Buffer.from(hash, "base64");
  return expected.length === keyLength && timingSafeEqual(derived, expected);
}
