import { createHash, randomInt } from "node:crypto";

/** Without letters that look like digits. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const groups = 4;
const groupLength = 4;

/** How many a user gets at a time. */
const amount = 10;

/** Ten codes of 79 bits each, such as `k7mq-x2ad-9hvn-p4ts`. */
export const makeRecoveryCodes = (): string[] => Array.from({ length: amount }, makeCode);

const makeCode = () => Array.from({ length: groups }, () => randomText(groupLength)).join("-");

const randomText = (length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");

/** The stored hash. No salt or stretching: nobody can guess 79 random bits. */
export const recoveryCodeHash = (code: string): Buffer =>
  createHash("sha256")
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
    .digest();
