/** In US dollars per million tokens. */
export type Price = { inputPerMillion: number; outputPerMillion: number };

const price = (inputPerMillion: number, outputPerMillion: number): Price => ({
  inputPerMillion,
  outputPerMillion,
});

/**
 * OpenAI's list prices, standard tier, for prompts up to 272,000 tokens, as published at
 * https://developers.openai.com/api/docs/pricing and matching several independent price lists as of 2026-11-20. Tokens
 * read from a prompt cache cost less but are counted in full, so estimates err on the high side. Models on whose prices
 * the lists disagree are omitted: their price is unknown unless configured.
 */
const listPrices: Readonly<Record<string, Price>> = {
  "gpt-6.1-sol": price(2, 10),
  "gpt-6.1-terra": price(1, 5),
  "gpt-6-astra": price(10, 50),
  "gpt-6-sol": price(2, 10),
  "gpt-6-luna": price(0.1, 0.5),
  "gpt-5.6-terra": price(2, 12),
  "gpt-5.6-luna": price(0.2, 1.2),
  "gpt-5.4": price(2.5, 15),
  "gpt-5.4-mini": price(0.75, 4.5),
  "gpt-5.4-nano": price(0.2, 1.25),
  "gpt-5.2": price(1.75, 14),
  "gpt-5.1": price(1.25, 10),
  "gpt-5": price(1.25, 10),
  "gpt-5-mini": price(0.25, 2),
  "gpt-5-nano": price(0.05, 0.4),
  "gpt-4.1": price(2, 8),
  "gpt-4.1-mini": price(0.4, 1.6),
  "gpt-4.1-nano": price(0.1, 0.4),
  "gpt-4o": price(2.5, 10),
  "gpt-4o-2024-05-13": price(5, 15),
  "gpt-4o-mini": price(0.15, 0.6),
  "o4-mini": price(1.1, 4.4),
};

/** The list price of a model or a dated snapshot (`gpt-4.1-2025-04-14`); null if unknown. */
export function listPriceOf(model: string): Price | null {
  const find = (name: string) => (Object.hasOwn(listPrices, name) ? listPrices[name] : undefined);
  return find(model) ?? find(model.replace(/-\d{4}-\d{2}-\d{2}$/, "")) ?? null;
}

/** In US dollars, exact to 8 decimal places; null if the price is unknown, which is not the same as free. */
export function costOf(tokens: { input: number; output: number }, price: Price | null): number | null {
  if (!price) return null;
  const dollars = (tokens.input * price.inputPerMillion + tokens.output * price.outputPerMillion) / 1_000_000;
  return Math.round(dollars * 1e8) / 1e8;
}
