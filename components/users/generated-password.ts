/** Letters and digits that are not taken for one another when somebody reads them out. */
const signs = "abcdefghjkmnpqrstuvwxyz23456789";

/** A password to hand over: four groups of five, about 99 bits, every sign as likely as the others. */
export function generatedPassword(
  randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count)),
) {
  const chosen: string[] = [];
  // Bytes beyond the last whole multiple would make the first signs likelier.
  const fair = 256 - (256 % signs.length);
  while (chosen.length < 20)
    for (const byte of randomBytes(20 - chosen.length))
      if (byte < fair) chosen.push(signs[byte % signs.length] ?? "");
  return chosen.join("").match(/.{5}/g)?.join("-") ?? "";
}
