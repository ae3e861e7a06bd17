/** What must stand between a text and a name that is written after it: names of columns become a list. */
export function separatorAfter(text: string, kind: "table" | "column"): "" | " " | ", " {
  const [, word = ""] = /([\p{L}\p{N}_$#"`\]]*)$/u.exec(text) ?? [];
  if (word === "") return /[,)*]$/.test(text) ? " " : "";
  return kind === "table" || beforeNames.has(word.toLowerCase()) ? " " : ", ";
}

const beforeNames = new Set(
  "select distinct all by where and or not on having when then else case like in between is limit from join".split(
    " ",
  ),
);
