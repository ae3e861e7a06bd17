import type { Random } from "../../../faults/random.ts";
import { digits, letters } from "../draw.ts";

/** Codes whose last or first digits are computed from the others. */

export function ean13(random: Random): string {
  const body = `4${digits(random, 11)}`;
  return `${body}${eanCheck(body)}`;
}

export const isEan13 = (text: string): boolean =>
  /^\d{13}$/.test(text) && Number(text.at(-1)) === eanCheck(text.slice(0, 12));

function eanCheck(body: string): number {
  const sum = [...body].reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

/** ISO 7064, modulo 97. */
export function iban(random: Random, country: string): string {
  const body = bodies[country]?.(random) ?? digits(random, 18);
  const check = 98 - remainderOf97(asNumbers(`${body}${country}00`));
  return `${country}${String(check).padStart(2, "0")}${body}`;
}

export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text) &&
  remainderOf97(asNumbers(`${text.slice(4)}${text.slice(0, 4)}`)) === 1;

const asNumbers = (text: string) => [...text].map((char) => Number.parseInt(char, 36)).join("");

const bodies: Record<string, (random: Random) => string> = {
  DE: (random) => digits(random, 18),
  NL: (random) => `${letters(random, 4)}${digits(random, 10)}`,
  GB: (random) => `${letters(random, 4)}${digits(random, 14)}`,
  AT: (random) => digits(random, 16),
  PL: (random) => digits(random, 24),
  SE: (random) => digits(random, 20),
};

function remainderOf97(numbers: string): number {
  let rest = 0;
  for (const digit of numbers) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** ISO 6346, `MSKU1234565`. */
export function containerNumber(random: Random): string {
  const body = `${random.pick(["MSK", "HLX", "CMA", "TGH", "OOL"])}U${digits(random, 6)}`;
  return `${body}${containerCheck(body)}`;
}

export const isContainerNumber = (text: string): boolean =>
  /^[A-Z]{4}\d{7}$/.test(text) && Number(text.at(-1)) === containerCheck(text.slice(0, 10));

const containerCheck = (body: string) =>
  ([...body].reduce((all, char, index) => all + worth(char) * 2 ** index, 0) % 11) % 10;

/** Letters count from 10, without the multiples of 11. */
function worth(char: string): number {
  if (/\d/.test(char)) return Number(char);
  const plain = char.charCodeAt(0) - 55;
  return plain + Math.floor((plain - 1) / 10);
}
