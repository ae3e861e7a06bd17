import { modelInUse } from "../actors/models/model-in-use.ts";
import { structuredOutput } from "../actors/models/structured-output.ts";
import { askNow } from "../actors/service/ask-now.ts";
import { env, type Settings } from "../env.ts";
import { problemIn } from "../errors.ts";
import { type Review, type Reviewed, reviewSchema, type ToldTable } from "../findings/review.ts";
import { reviewPrompt } from "./prompt.ts";

const output = structuredOutput("review", reviewSchema);
const maxOutputTokens = 4000;

/** Asks the language model about a table's findings, where one is configured and LLM_FINDINGS lets it. */
export function modelReviewer(settings: Settings = env()) {
  if (!settings.LLM_FINDINGS || modelInUse(settings).isBuiltIn) return null;
  return (table: ToldTable) => reviewTable(table, settings);
}

async function reviewTable(table: ToldTable, settings: Settings): Promise<Reviewed> {
  const { schemaName, tableName } = table;
  try {
    const { answer, failure, model, tokensUsed } = await askNow<Review>(
      {
        ...reviewPrompt(table),
        ...{ output, wanted: "review", maxOutputTokens },
        about: { asks: "for a review of findings", schemaName, tableName },
      },
      settings,
      "review",
    );
    return answer === null
      ? { model, tokensUsed, review: null, failure: failure ?? "The language model gave no answer" }
      : { model, tokensUsed, review: answer, failure: null };
  } catch (error) {
    const problem = problemIn(error);
    if (!problem) throw error;
    return { model: "", tokensUsed: 0, review: null, failure: problem.detail };
  }
}
