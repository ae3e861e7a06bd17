/**
 * What people and programs write where there is nothing to write. Words of several languages; a hint that something
 * stands for nothing, never the proof: that comes from the rest of the column. Pure.
 */

const listed = (text: string) => new Set(text.split(",").map((word) => word.trim().replace(/\s+/g, " ")));

/** These mean that nothing is known, whatever the column. */
const sure = listed(`
  n/a, n.a, n.a., n/d, n.d., #n/a, na/na, not available, not applicable, unavailable, null, (null),
  <null>, [null], nil, nan, none given, \\n, undefined, [object object], unknown, (unknown), <unknown>,
  unk, unkn, not known, not specified, unspecified, not set, not provided, not given, not stated, not
  entered, no data, no value, no entry, no info, missing, (missing), empty, (empty), <empty>, (blank),
  [blank], tbd, tba, tbc, t.b.d., to be determined, to be announced, to be confirmed, to be defined,
  fixme, todo, placeholder, #ref!, #value!, #name?, #div/0!, #null!, #num!, asdf, asdfasdf, qwerty,
  qwertz, foobar, lorem ipsum, changeme, do not use, unbekannt, k.a., keine angabe, keine angaben,
  inconnu, inconnue, non renseigné, non disponible, desconocido, desconocida, sin datos, no disponible,
  sconosciuto, non specificato, desconhecido, não informado, onbekend, okänd, ukjent, ukendt, nieznany,
  brak danych, neznámý, неизвестно, нет данных, 不明, 未知
`);

/** These may also be a name, a code or a category. */
const unsure = listed(`
  na, none, nothing, blank, dummy, test, testing, tests, test test, sample, example, foo, foo bar,
  default, temp, tmp, nd, no name, noname, keine, aucun, ninguno, nessuno, brak, нет, なし, 无,
  pending, to do, invalid, error, same, see above
`);

/** Of these, what a step of a process may be called. */
const steps = listed("pending, to do, invalid, error, default");
export const isNamedLikeStep = (text: string): boolean => steps.has(text.trim().toLowerCase());

/** `sure` and `unsure` as above, `signs` for signs alone, `repeated` for one character again and again; null for values. */
export function placeholderOf(text: string): "sure" | "unsure" | "signs" | "repeated" | null {
  if (text.length > 40) return null;
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (plain === "") return null;
  if (isShortName(text.trim())) return null;
  if (sure.has(plain) || isYearZero(plain)) return "sure";
  if (/^[-–—_?.*#/\\!+=~,;:'"<>()[\]{}|\s]+$/.test(plain)) return "signs";
  if (unsure.has(plain)) return "unsure";
  if (isOfTwoCases(text.trim())) return null;
  if (/^(x{2,}|z{3,}|(?!i)([a-z])\2{3,}|0{4,}|9{4,}|(\d)\3{6,}|1234567890?|x+[-. ]x+([-. ]x+)?)$/.test(plain))
    return "repeated";
  // 000-00-0000, 999.999.9999 and the like.
  if (/^[(+]?([09x])\1*([-. ()/]+\1+)+$/.test(plain) && plain.replace(/[^09x]/g, "").length >= 6)
    return "repeated";
  return null;
}

/** `HHhH` was written by someone who looked at it. */
const isOfTwoCases = (text: string): boolean => /^\p{L}+$/u.test(text) && !/^.(\p{Lu}*|\p{Ll}*)$/u.test(text);

/** Programs write NaN, nan, or NAN, and nobody Nan, which is a province and a name. */
const isShortName = (text: string): boolean => /^(Nan|Nil|Unk|Tba|Tbc|Tbd)$/.test(text);

/** What MySQL and MariaDB keep where there is no day. */
const isYearZero = (plain: string) => /^0000-00-00([ t]00:00(:00(\.0+)?)?)?$/.test(plain);

const limits = new Set([
  2 ** 63,
  -(2 ** 63),
  2 ** 32 - 1,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 16 - 1,
  2 ** 15 - 1,
  -(2 ** 15),
]);

/** -1 and rows of nines, and what a computer's number holds at most. */
export const isSentinel = (number: number): boolean =>
  number === -1 ||
  // Most numbers do not end like one, and need not be written for that.
  (Math.trunc(Math.abs(number)) % 100 === 99 && /^-?9{2,12}(\.9+)?$/.test(String(number))) ||
  limits.has(number);

const dayMs = 86_400_000;

/** The days that programs write where no date is known. */
const days = listed(`
  0001-01-01, 1000-01-01, 1111-11-11, 1582-10-15, 1700-01-01, 1753-01-01, 1800-01-01, 1899-12-30,
  1899-12-31, 1900-01-01, 1900-01-02, 1900-12-31, 1901-01-01, 1904-01-01, 1910-01-01, 1969-12-31,
  1970-01-01, 1980-01-01, 1999-12-31, 2000-01-01, 2038-01-19, 2049-12-31, 2050-12-31, 2078-12-31,
  2079-06-06, 2099-01-01, 2099-12-31, 2100-01-01, 2222-02-22, 2199-12-31, 2200-01-01, 2500-01-01,
  2900-12-31, 2999-12-31, 3000-01-01, 3999-12-31, 4000-01-01, 4712-12-31, 9000-01-01, 9998-12-31,
  9999-01-01, 9999-09-09, 9999-12-30, 9999-12-31
`);

/** Of a moment in milliseconds since 1970. */
export function isSentinelDay(moment: number): boolean {
  if (Number.isNaN(moment) || Math.abs(moment) > 8.64e15) return false;
  // Most moments are within a day of a plain year, and need not be written for that.
  const isPlainYear = moment >= Date.UTC(1971, 0) && moment < Date.UTC(9999, 0);
  if (isPlainYear && moment % dayMs >= 1000 && moment % dayMs < dayMs - 1000) return false;
  const [day = "", time] = new Date(moment).toISOString().split("T");
  return (
    days.has(day) &&
    (/^00:00:00/.test(time ?? "") || /^23:59:59/.test(time ?? "") || /^(9999|0001|1970)/.test(day))
  );
}
