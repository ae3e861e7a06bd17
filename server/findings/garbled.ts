/** Signs that a text was read or written in the wrong encoding on its way into the table. Pure. */

/** What Windows-1252 has where Latin-1 has control characters, from 0x80 on. */
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const byteOf = new Map([...windows].map((character, index) => [character, 0x80 + index]));

/** The first bytes of a character in UTF-8, as Windows-1252 or Latin-1 shows them: nothing else is worth decoding. */
const mayBeUtf8 = new RegExp(`[\u00c2-\u00f4][\u0080-\u00bf${windows}]`);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The text as it was meant when it is UTF-8 that was read as Latin-1 or Windows-1252 (`MÃ¼ller` is `Müller`), also
 * when that happened twice; null for a text that reads as it stands. Each run of characters beyond ASCII is taken for
 * bytes; a run that is no UTF-8 was meant as it is.
 */
export function meantBy(text: string): string | null {
  if (!mayBeUtf8.test(text)) return null;
  const meant = text.replace(/[\u0080-\u{10ffff}]+/gu, (run) => decoded(run) ?? run);
  if (meant === text) return null;
  return meantBy(meant) ?? meant;
}

function decoded(run: string): string | null {
  const bytes: number[] = [];
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0;
    const byte = byteOf.get(character) ?? (code <= 0xff ? code : null);
    if (byte === null) return null;
    bytes.push(byte);
  }
  try {
    const meant = utf8.decode(Uint8Array.from(bytes));
    return isPlausible(meant) || decoded(meant) !== null ? meant : null;
  } catch {
    return null;
  }
}

/**
 * What people write beyond ASCII: `É”` happens to be the bytes of ɔ, and was meant as it is. One letter alone counts in
 * the Latin alphabet; of other scripts a word has more than one.
 */
const isPlausible = (text: string) =>
  /^[\u00a0-\u017f\u2010-\u204a\u20a0-\u20bf\u2100-\u214f\u2190-\u22ff\u25a0-\u27bf]+$/u.test(text) ||
  /^[\u00a0-\u024f\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]{2,}$/u.test(text) ||
  /^[\u00a0-\u017f\u2010-\u204a]*(?:[\u0e00-\u0e7f\u3000-\u9fff\uac00-\ud7af\uff00-\uffef\u{1f300}-\u{1faff}]|\ufe0f|\u200d)+$/u.test(
    text,
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const spaces = /[\t\r\n\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]/;
const entity = /&(?:#\d{2,6}|#x[0-9a-f]{2,5}|[a-z]{2,8}[1-4]?);/i;
const tag =
  /<\/?(?:a|abbr|b|big|blockquote|body|br|center|code|div|em|font|h[1-6]|head|hr|html|i|img|li|link|meta|ol|p|pre|s|script|small|span|strike|strong|style|sub|sup|table|tbody|td|th|tr|u|ul)(?:\s[^<>]*)?\/?>/i;

/** `u00f6`: an escape sequence of a Latin letter that lost its backslash. */
const lostEscape = /u00[c-f][0-9a-f]/i;
const escapeSequence = /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[nrt](?![a-z])/i;

/** What is wrong with a text, in the order in which it is looked for. */
export const troubles = [
  {
    name: "mojibake",
    says: "have text that was read in the wrong encoding",
    has: (text: string) => meantBy(text) !== null,
    /** What shows it in a text: each is there in many. */
    mark: new RegExp(mayBeUtf8, "g"),
    /** How much of a column may have it and it is still a fault. */
    most: 1,
  },
  {
    name: "replacement",
    says: "have a replacement character, where a character was lost",
    has: (text: string) => text.includes("\ufffd"),
    mark: /\ufffd/g,
    most: 1,
  },
  {
    name: "otherPage",
    says: "have signs of another code page inside their words",
    // UTF-8 that was read as one of the code pages of DOS (ü is ├╝) or of the Macintosh (ü is √º).
    has: (text: string) => /\p{L}[├┬][^\p{ASCII}]|\p{L}√[^\p{ASCII}\s]/u.test(text),
    mark: /[├┬√][^\p{ASCII}\s]/gu,
    most: 1,
  },
  {
    name: "control",
    says: "have control characters",
    has: (text: string) => controls.test(text),
    mark: new RegExp(controls, "g"),
    most: 0.2,
  },
  {
    name: "invisible",
    says: "have invisible characters",
    has: hasInvisible,
    mark: /[\ufeff\u200b\u2060\u2061-\u2064\u00ad\u180e\u200c-\u200f\u202a-\u202e\u2066-\u2069]/g,
    most: 0.1,
  },
  {
    name: "lost",
    says: "have a question mark inside a word, where a character was lost",
    has: (text: string) => /\p{Ll}\?\p{Ll}/u.test(text) && !/[/=&]/.test(text),
    mark: /\p{Ll}\?\p{Ll}/gu,
    most: 0.02,
  },
  {
    name: "html",
    says: "have HTML",
    has: (text: string) => entity.test(text) || tag.test(text),
    mark: new RegExp(`${entity.source}|${tag.source}`, "gi"),
    most: 0.05,
  },
  {
    name: "escaped",
    says: "have escape sequences instead of characters",
    has: (text: string) => hasLostEscape(text) || escapeSequence.test(text) || isPercentEncoded(text),
    mark: new RegExp(`${lostEscape.source}|${escapeSequence.source}|(?:%[0-9A-F]{2})+`, "giu"),
    most: 0.05,
  },
  {
    name: "space",
    says: "have a line break, a tab, or an unusual space",
    has: (text: string) => spaces.test(text.trim()),
    mark: new RegExp(spaces, "g"),
    most: 0.02,
  },
] as const;

export type Trouble = (typeof troubles)[number];

function hasInvisible(text: string): boolean {
  if (/[\ufeff\u200b\u2060\u2061-\u2064\u00ad\u180e]/.test(text)) return true;
  // Joiners and marks of direction belong into scripts and emoji that need them.
  return (
    /[\u200c-\u200f\u202a-\u202e\u2066-\u2069]/.test(text) &&
    !/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Khmer}\p{Script=Mongolian}\p{Extended_Pictographic}]/u.test(
      text,
    )
  );
}

/** `Bju00f6rk`, and not `au00f63`: without such sequences, a word has no digits. */
const hasLostEscape = (text: string) =>
  lostEscape.test(text) &&
  text
    .split(/\s+/u)
    .some((word) => lostEscape.test(word) && !/\d/.test(word.replace(/u0[0-2][0-9a-f]{2}/gi, "")));

/** `S%C3%A3o%20Paulo`, and not `50%` or an address on the web. */
function isPercentEncoded(text: string): boolean {
  if (!/\p{L}%(?:20|[C-F][0-9A-F]%[89AB][0-9A-F])/u.test(text) || /:\/\/|[/?&=]/.test(text)) return false;
  try {
    return decodeURIComponent(text) !== text;
  } catch {
    return false;
  }
}
