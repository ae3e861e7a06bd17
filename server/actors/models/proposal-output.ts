import { proposalSchema } from "../proposal.ts";
import { structuredOutput } from "./structured-output.ts";

export const proposalOutput = structuredOutput("proposal", proposalSchema);
