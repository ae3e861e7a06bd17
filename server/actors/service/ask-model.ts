import { env, type Settings } from "../../env.ts";
import type { Briefing } from "../briefing.ts";
import { questionFor } from "../models/built-in.ts";
import { promptFor } from "../models/prompt.ts";
import { proposalOutput } from "../models/proposal-output.ts";
import type { Proposal } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { storableProposal } from "../storable-proposal.ts";
import { type Answered, askOnce, type Step } from "./ask-once.ts";

export type Question = Pick<Step<Proposal>, "actorId" | "executionId" | "isWanted"> & {
  step: "propose" | "repair";
  briefing: Briefing;
  repair?: Repair | null;
};

/** `cost` is in US dollars; null if the price is unknown. */
export type Answer = Omit<Answered<Proposal>, "answer"> & { proposal: Proposal };

/** Enough for fifty actions with some reasoning before them. */
const maxOutputTokens = 16_000;

/** Asks the model in use for a proposal, or to repair one. Throws like `askOnce`. */
export async function askModel(
  { briefing, repair = null, ...call }: Question,
  settings: Settings = env(),
): Promise<Answer> {
  const asked: Step<Proposal>["asked"] = ({ isBuiltIn }) => ({
    ...(isBuiltIn
      ? { prompt: "See the options", providerOptions: questionFor({ briefing, repair }) }
      : promptFor(briefing, repair)),
    output: proposalOutput,
    wanted: "proposal",
  });
  const { answer: proposal, ...rest } = await askOnce<Proposal>(
    { ...call, asked, maxOutputTokens, storable: storableProposal },
    settings,
  );
  return { proposal, ...rest };
}
