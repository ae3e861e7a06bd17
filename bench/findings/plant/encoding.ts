import type { Random } from "../../../faults/random.ts";
import { type CleanColumn, change, isOfWords, type Place, type Planter } from "./place.ts";

/** Text that was read in the wrong encoding, or has in it what belongs to another medium. */
export const plantEncoding: Planter = ({ cells }) =>
  cells
    .filter((column) => isOfWords(column) && !column.isDeclared && hasWords(column))
    .flatMap((column) =>
      ways
        .filter(({ may }) => column.observed.values.some(may))
        .map(({ how, to, may }): Place => ({ columns: [column.name], how, apply: change(column, to, may) })),
    );

const hasWords = ({ observed }: CleanColumn) =>
  observed.values.filter((value) => /\p{L}{3}/u.test(value)).length > observed.values.length * 0.8 &&
  observed.values.every((value) => !/[ÃÂ\ufffd\u200b\p{Cc}<>]|&\w+;/u.test(value));

type Way = { how: string; to: (value: string, random: Random) => string; may: (value: string) => boolean };

const isForeign = (value: string) => /[à-öø-ÿÀ-ÖØ-ß]/.test(value);
const any = (value: string) => value.length >= 3;
const inside = (value: string, random: Random, text: string) => {
  const at = random.between(1, value.length - 1);
  return `${value.slice(0, at)}${text}${value.slice(at)}`;
};

const ways: Way[] = [
  {
    how: "UTF-8 read as Latin-1",
    to: (value) => Buffer.from(value, "utf8").toString("latin1"),
    may: isForeign,
  },
  {
    how: "UTF-8 read as Latin-1 twice",
    to: (value) => Buffer.from(Buffer.from(value, "utf8").toString("latin1"), "utf8").toString("latin1"),
    may: isForeign,
  },
  {
    how: "a letter that was lost",
    to: (value) => value.replace(/[à-öø-ÿÀ-ÖØ-ß]/g, "\ufffd"),
    may: isForeign,
  },
  { how: "a replacement character", to: (value, random) => inside(value, random, "\ufffd"), may: any },
  {
    how: "a control character",
    to: (value, random) => inside(value, random, random.pick(["\u0007", "\u001b", "\u0001", "\u0093"])),
    may: any,
  },
  {
    how: "HTML",
    to: (value, random) =>
      random.pick([
        `${value}<br>`,
        `<b>${value}</b>`,
        `${value}&nbsp;`,
        inside(value, random, "&#39;"),
        `${value} &amp; `,
      ]),
    may: any,
  },
  {
    how: "an invisible character",
    to: (value, random) => inside(value, random, random.pick(["\u200b", "\ufeff", "\u00ad"])),
    may: any,
  },
];
