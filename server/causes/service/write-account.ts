import type { z } from "zod";
import { askNow } from "../../actors/service/ask-now.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { env, type Settings } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { accountPrompt, checkedAccount, type Written, writtenOutput } from "../account.ts";
import type { accountSchema, WhyInput } from "../schema.ts";
import { explainWhy } from "./why.ts";

const maxOutputTokens = 2000;

/**
 * An account by the language model of why something is wrong, from the facts of `explainWhy` alone: sentences whose sources are
 * not among them are dropped. Values of rows are not sent. Throws like `explainWhy`; rejected without a model, without any
 * fact, or if the model returns nothing usable; and rate_limited.
 */
export async function writeAccount(
  ctx: SignedIn,
  asked: WhyInput,
  settings: Settings = env(),
): Promise<z.input<typeof accountSchema>> {
  const why = await explainWhy(ctx, asked);
  if (why.causes.length === 0)
    throw new Problem("rejected", "No cause is known, so there is nothing to write");
  const { values, ...prompt } = accountPrompt(why);
  const { answer, failure, model, tokensUsed, cost } = await askNow<Written>(
    {
      ...prompt,
      ...{ output: writtenOutput, wanted: "account", maxOutputTokens },
      about: { asks: "for an account of causes" },
    },
    settings,
  );
  ctx.addToOutcome?.(`${tokensUsed} tokens`);
  if (answer === null) throw new Problem("rejected", failure ?? "The language model gave no answer");
  const estimatedCost = cost === null ? null : Math.round(cost * 1e8) / 1e8;
  return { ...checkedAccount(answer, why.causes, values), why, model, tokensUsed, estimatedCost };
}
