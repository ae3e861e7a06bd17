/** What an engine charges by, or can tell of each statement. */
export const costUnits = ["bytes", "credits", "seconds"] as const;
export type CostUnit = (typeof costUnits)[number];

/** What one statement cost. */
export type Cost = { unit: CostUnit; amount: number };

/** What the statements of an evaluation or a scan have cost together. */
export type RunCost = Cost & { statements: number };

const steps = [
  [1e15, "PB"],
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
] as const;

/** An amount as people read it: "12.5 GB", "0.34 credits", "95 seconds". Units of bytes are powers of 1,000. */
export function costText({ unit, amount }: Cost): string {
  if (unit !== "bytes") return `${rounded(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
  const [size, name] = steps.find(([size]) => amount >= size) ?? [1, amount === 1 ? "byte" : "bytes"];
  return `${rounded(amount / size)} ${name}`;
}

/** At least two significant digits, and no more than two decimals for what is larger than 1. */
function rounded(amount: number): string {
  const options = amount < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  return amount.toLocaleString("en-US", options);
}
