/** What a text looks like when its letters and digits are not read. Pure. */

/** `AB-1204` is `AA-9999`: capitals, small letters, digits, and signs as they are. */
export function exactShapeOf(text: string): string {
  let shape = "";
  for (const character of text) shape += classOf(character);
  return shape;
}

/** `AB-1204` is `A-9` and `Anna B.` is `Aa A.`: each run once. */
export const shapeOf = (text: string): string => collapsed(exactShapeOf(text));

export const collapsed = (exact: string): string =>
  exact.replace(/9+|[Aa]+/g, (run) =>
    run[0] === "9" ? "9" : /^Aa+$/.test(run) ? "Aa" : /^A+$/.test(run) ? "A" : /^a+$/.test(run) ? "a" : "aA",
  );

function classOf(character: string): string {
  if (character >= "0" && character <= "9") return "9";
  if (character >= "a" && character <= "z") return "a";
  if (character >= "A" && character <= "Z") return "A";
  if (character < "\u0080") return character;
  return /\p{Lu}/u.test(character) ? "A" : /\p{L}/u.test(character) ? "a" : character;
}

/** A regular expression, in words that every engine knows, for texts of these exact or collapsed shapes. */
export function patternOf(shapes: readonly string[], isExact: boolean): string {
  const parts = shapes.map((shape) =>
    shape.replace(isExact ? /9+|A+|a+|[^9Aa]/g : /9|aA|Aa|A|a|[^9Aa]/g, (run) => partOf(run, isExact)),
  );
  return parts.length === 1 ? `^${parts[0]}$` : `^(${parts.join("|")})$`;
}

function partOf(run: string, isExact: boolean): string {
  const times = isExact ? (run.length > 1 ? `{${run.length}}` : "") : "+";
  if (run[0] === "9") return `[0-9]${times}`;
  if (!isExact && run === "Aa") return "[A-Z][a-z]+";
  if (!isExact && run === "aA") return "[A-Za-z]+";
  if (run[0] === "A") return `[A-Z]${times}`;
  if (run[0] === "a") return `[a-z]${times}`;
  return run.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
