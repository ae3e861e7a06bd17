/** Parses Prometheus' text format (version 0.0.4) strictly: throws for anything outside its grammar. */
export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Family = { type: string; help: string; samples: Sample[] };

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
const number = "(?:NaN|[+-]Inf|[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)";
const helpLine = new RegExp(`^# HELP (${name}) (.+)$`);
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`);
const sampleLine = new RegExp(`^(${name})(?:\\{((?:${label})(?:,${label})*)\\})? (${number})$`);

export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line must end like the others");
  const families = new Map<string, Family>();
  let help: { name: string; text: string } | null = null;
  let current = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, helped, words] = helpLine.exec(line) ?? [];
    const [, typed, type] = typeLine.exec(line) ?? [];
    const [, sampled, labels, value] = sampleLine.exec(line) ?? [];
    if (helped && words) help = { name: helped, text: words };
    else if (typed && type) {
      if (help?.name !== typed || families.has(typed)) throw new Error(`Out of order: ${line}`);
      families.set(typed, { type, help: help.text, samples: [] });
      current = typed;
    } else if (sampled && value) {
      const family = families.get(current);
      const own = family?.type === "histogram" ? `${current}(_bucket|_sum|_count)` : current;
      if (!family || !new RegExp(`^${own}$`).test(sampled)) throw new Error(`Of no family: ${line}`);
      family.samples.push({ name: sampled, labels: readLabels(labels ?? ""), value: readNumber(value) });
    } else throw new Error(`Not of the format: ${line}`);
  }
  return families;
}

const readLabels = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", value = ""]) => [
      key,
      value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped)),
    ]),
  );

const readNumber = (text: string) => Number(text.replace("Inf", "Infinity"));

/** The value of the only sample with these labels, and maybe others; 0 if there is none. */
export function sampleOf(
  families: Map<string, Family>,
  sampled: string,
  labels: Record<string, string> = {},
): number {
  const samples = [...families.values()]
    .flatMap((family) => family.samples)
    .filter((each) => each.name === sampled)
    .filter((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value));
  if (samples.length > 1) throw new Error(`${samples.length} samples of ${sampled} fit`);
  return samples[0]?.value ?? 0;
}
