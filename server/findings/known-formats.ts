import { isPossiblePhoneNumber } from "libphonenumber-js";
import validator from "validator";
import { placeholderOf } from "./placeholders.ts";

/** Formats that the world has agreed on, and columns that are written in one of them. Pure. */

export type KnownFormat = {
  /** `an email address`: what a value is. */
  one: string;
  is: (text: string) => boolean;
  /** How likely a text of another kind is one by chance. Of numbers with a check digit one in ten is. */
  chance: number;
  /** Has a digit that is computed from the others. */
  checks?: true;
  /** Countries change what they give out: what looks as the others do, digit for digit, is not doubted. */
  isByShape?: true;
  /** One of a list that is fixed elsewhere, and grows. */
  isListed?: true;
  /** Belongs to one person, or to one thing. */
  isOfOne?: true;
};

const plain = (text: string) => text.replace(/[\s-]/g, "");
const digits = (least: number, most: number, is: (text: string) => boolean) => (text: string) => {
  const only = plain(text);
  return only.length >= least && only.length <= most && /^\d+$/.test(only) && is(only);
};
const inCapitals = (is: (text: string) => boolean) => (text: string) => /^[A-Z]+$/.test(text) && is(text);

/** Where one includes another, the stricter comes first. Kosovo has codes that ISO leaves to their users. */
export const knownFormats: readonly KnownFormat[] = [
  {
    one: "an email address",
    is: (text) => text.includes("@") && validator.isEmail(text),
    chance: 1e-3,
    isOfOne: true,
  },
  {
    one: "a URL",
    is: (text) => validator.isURL(text, { require_protocol: true, require_tld: false }),
    chance: 1e-3,
  },
  { one: "a UUID", is: (text) => validator.isUUID(text, "loose"), chance: 1e-6, isOfOne: true },
  { one: "an IP address", is: (text) => validator.isIP(text), chance: 1e-3 },
  { one: "a MAC address", is: (text) => validator.isMACAddress(text), chance: 1e-3 },
  {
    one: "an IBAN",
    is: (text) => validator.isIBAN(plain(text)),
    chance: 1e-2,
    checks: true,
    isOfOne: true,
  },
  {
    one: "an ISBN",
    is: (text) => /^(97[89])?[\s-]?(?:\d[\s-]?){9}[\dX]$/.test(text) && validator.isISBN(text),
    chance: 0.1,
    checks: true,
  },
  // UPC has a digit less than EAN, and the same check digit.
  {
    one: "an EAN",
    is: digits(8, 14, (text) => validator.isEAN(text.length === 12 ? `0${text}` : text)),
    chance: 0.1,
    checks: true,
  },
  {
    one: "a card number (Luhn)",
    is: digits(13, 19, (text) => validator.isLuhnNumber(text)),
    chance: 0.1,
    checks: true,
  },
  {
    one: "an ISSN",
    is: (text) => validator.isISSN(text, { require_hyphen: true }),
    chance: 0.1,
    checks: true,
  },
  { one: "an ISIN", is: (text) => validator.isISIN(text), chance: 0.1, checks: true },
  { one: "a container number", is: (text) => validator.isISO6346(text), chance: 0.1, checks: true },
  {
    one: "a bank routing number",
    is: digits(9, 9, (text) => validator.isAbaRouting(text)),
    chance: 0.05,
    checks: true,
  },
  {
    one: "a Spanish identity number",
    is: (text) =>
      /^[XYZ\d]\d{7}-?[A-Z]$/i.test(text) && validator.isIdentityCard(text.replace("-", ""), "ES"),
    chance: 0.045,
    checks: true,
    isOfOne: true,
  },
  {
    one: "an Italian tax code",
    is: (text) => /^[A-Z]{6}/i.test(text) && validator.isTaxID(text, "it-IT"),
    chance: 1e-2,
    checks: true,
    isOfOne: true,
  },
  {
    one: "a Brazilian tax number",
    is: (text) => validator.isTaxID(text, "pt-BR"),
    chance: 0.01,
    checks: true,
    isOfOne: true,
  },
  {
    one: "a Polish identity number",
    is: digits(11, 11, (text) => validator.isIdentityCard(text, "PL")),
    chance: 0.05,
    checks: true,
    isOfOne: true,
  },
  {
    one: "a German tax number",
    is: digits(11, 11, (text) => validator.isTaxID(text, "de-DE")),
    chance: 0.05,
    checks: true,
    isOfOne: true,
  },
  {
    one: "a Chinese identity number",
    is: (text) => /^\d{17}[\dX]$/.test(text) && validator.isIdentityCard(text, "zh-CN"),
    chance: 1e-2,
    checks: true,
    isOfOne: true,
  },
  {
    one: "a legal entity identifier (LEI)",
    is: (text) => /^[A-Z\d]{18}\d{2}$/.test(text) && isLegalEntity(text),
    chance: 1e-2,
    checks: true,
  },
  {
    one: "a vehicle identification number (VIN)",
    is: (text) => /^[A-HJ-NPR-Z\d]{17}$/.test(text) && isVehicle(text),
    chance: 0.09,
    checks: true,
    isOfOne: true,
  },
  {
    one: "a phone number",
    is: (text) => text.startsWith("+") && isPossiblePhoneNumber(text),
    chance: 0.3,
    isByShape: true,
  },
  {
    one: "a pair of latitude and longitude",
    is: (text) => text.includes(",") && validator.isLatLong(text),
    chance: 1e-2,
  },
  {
    one: "an ISO currency code",
    is: inCapitals((text) => validator.isISO4217(text)),
    chance: 0.01,
    isListed: true,
  },
  {
    one: "an ISO country code",
    is: inCapitals((text) => text === "XKX" || validator.isISO31661Alpha3(text)),
    chance: 0.014,
    isListed: true,
  },
  {
    one: "an ISO country code",
    is: inCapitals((text) => isUserAssigned(text) || validator.isISO31661Alpha2(text)),
    chance: 0.42,
    isListed: true,
  },
  {
    one: "an ISO language code",
    is: (text) => /^[a-z]{2}$/.test(text) && validator.isISO6391(text),
    chance: 0.27,
    isListed: true,
  },
];

/**
 * ISO 3166 leaves these to whoever uses it, and will never give them to a country: XK is Kosovo nearly everywhere. AA, XX, and
 * ZZ, which it leaves, too, are what programs write for a country that they do not know.
 */
const isUserAssigned = (text: string): boolean => /^(Q[M-Z]|X[A-WYZ])$/.test(text);

/** ISO 17442: letters count from 10 on, and the whole number leaves 1 when divided by 97. */
function isLegalEntity(text: string): boolean {
  let rest = 0;
  for (const char of text)
    for (const digit of String(Number.parseInt(char, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

/** ISO 3779 as in North America: the ninth place is the weighted sum of the others, divided by 11; X is ten. */
function isVehicle(text: string): boolean {
  const values = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ";
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const sum = [...text].reduce(
    (total, char, at) => total + (values.indexOf(char) % 10) * (weights[at] ?? 0),
    0,
  );
  return text[8] === "0123456789X"[sum % 11];
}

type Texts = { values: readonly string[]; counts: Int32Array };

/** So much of the different values, or of the rows of a list's codes, must be of a format. */
const mostly = 0.95;
const least = { values: 20, listed: 4 };
/** Chance gives as much in one of so many columns: as the power of ten. */
const beyondChance = 6;

/**
 * The format that a column is written in, with the values that are not; null where there is none. Values that stand
 * for nothing count on neither side.
 */
export function knownFormatOf(
  texts: Texts,
  formats: readonly KnownFormat[] = knownFormats,
): { format: KnownFormat; against: number[]; certainty: number } | null {
  const indexes = [...texts.values.keys()].filter((index) => {
    const value = texts.values[index] ?? "";
    return value.trim() !== "" && placeholderOf(value) === null;
  });
  const step = Math.max(1, Math.floor(indexes.length / 100));
  const some = indexes.filter((_, position) => position % step === 0);
  for (const format of formats) {
    if (indexes.length < (format.isListed ? least.listed : least.values)) continue;
    const is = (index: number) => format.is(texts.values[index] ?? "");
    if (some.filter(is).length < some.length * 0.6) continue;
    const against = indexes.filter((index) => !is(index));
    const certainty = -logChance(indexes.length, against.length, format.chance);
    if (certainty < beyondChance || !isMostly(texts, indexes, against, format)) continue;
    return { format, against, certainty: Math.min(1, certainty / 20) };
  }
  return null;
}

function isMostly(
  { counts }: Texts,
  all: readonly number[],
  against: readonly number[],
  { isListed }: KnownFormat,
): boolean {
  if (!isListed && against.length <= all.length * (1 - mostly)) return true;
  const rows = (indexes: readonly number[]) => indexes.reduce((sum, index) => sum + (counts[index] ?? 0), 0);
  // One typed wrong among few codes is many of the codes and few of the rows.
  return rows(against) <= rows(all) * 0.02 && against.length <= all.length * 0.25;
}

/** The logarithm of how likely so many or more of all are of a format by chance. */
function logChance(all: number, against: number, chance: number): number {
  let choose = 0;
  for (let index = 0; index < against; index++) choose += Math.log10((all - index) / (index + 1));
  return choose + (all - against) * Math.log10(chance);
}
