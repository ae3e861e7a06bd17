/** Letters and digits that are not easily confused. */
const signs = "abcdefghjkmnpqrstuvwxyz23456789";

/** A password to hand over: four groups of five, about 99 bits, all characters equally likely. */
export function generatedPassword(
  randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count)),
) {
  const chosen: string[] = [];
  // Bytes beyond the last whole multiple would make the first characters more likely.
  const fair = 256 - (256 % signs.length);
  while (chosen.length < 20)
    for (const byte of randomBytes(20 - chosen.length))
      if (byte < fair) chosen.push(signs[byte % signs.length] ?? "");
  return chosen.join("").match(/.{5}/g)?.join("-") ?? "";
}
