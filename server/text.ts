/** Text helpers. Pure; also safe in the browser. */

/** Adds thousands separators and keeps every digit: `1234567.50` → `1,234,567.50`. Other text stays as is. */
export function figure(exact: string | number): string {
  const [, sign, whole, fraction] = /^(-?)(\d+)(\.\d+)?$/.exec(String(exact)) ?? [];
  if (whole === undefined) return String(exact);
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction ?? ""}`;
}

/** A number with its noun: `1 row`, `2,000 rows`, `3 anomalies` (with an explicit plural). */
export function plural(count: string | number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${String(count) === "1" ? one : many}`;
}

/** A text in a form PostgreSQL can store, up to `max` characters: without NUL and without lone surrogates. */
export function storable(text: string, max = Number.POSITIVE_INFINITY): string {
  return text.replaceAll("\u0000", "").slice(0, max).toWellFormed();
}

/** The same, ending with an ellipsis if truncated. */
export function shortened(text: string, max: number): string {
  const whole = storable(text);
  return whole.length <= max ? whole : `${whole.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A noun or a name with its article: `a price`, `an origin_state`, `a user_id`. */
export function withArticle(noun: string): string {
  const soundsLikeVowel = /^(?!one|eu|u[^a-z]|u[nrst][aeio])[aeiou]/i.test(noun);
  return `${soundsLikeVowel ? "an" : "a"} ${noun}`;
}

/** `a, b and c`. */
export function listed(parts: readonly string[], last = "and"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

/** A length of time in its largest fitting unit: `40 seconds`, `25 minutes`, `31 hours`, `3 days`. */
export function lasting(seconds: number): string {
  const [, per, unit] = units.find(([from]) => seconds >= from) ?? ([0, 1, "second"] as const);
  return plural(Math.round(seconds / per), unit);
}
/** From how many seconds on, and the number of seconds in it. */
const units = [
  [72 * 3600, 86_400, "day"],
  [3 * 3600, 3600, "hour"],
  [120, 60, "minute"],
] as const;

/** A number of bytes in its largest fitting unit: `512 bytes`, `3.4 MiB`, `12 GiB`. */
export function sizeText(bytes: number): string {
  const [per, unit] = byteUnits.find(([from]) => bytes >= from) ?? [1, ""];
  if (unit === "") return plural(bytes, "byte");
  const amount = bytes / per;
  return `${amount < 10 ? Number(amount.toFixed(1)) : figure(Math.round(amount))} ${unit}`;
}
const byteUnits = [
  [1024 ** 4, "TiB"],
  [1024 ** 3, "GiB"],
  [1024 ** 2, "MiB"],
  [1024, "KiB"],
] as const;
