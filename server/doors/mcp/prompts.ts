import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types.js";
import { ProtocolFault } from "./protocol-fault.ts";

type Argument = { name: string; description: string; required: boolean };

type Template = {
  name: string;
  title: string;
  description: string;
  arguments: readonly Argument[];
  /** The message that a prompt sends to the assistant. */
  text: (given: Readonly<Record<string, string | undefined>>) => string;
};

const project: Argument = {
  name: "project_id",
  description: "Project ID; required if you can see several",
  required: false,
};
const ofProject = ({ project_id: id }: Readonly<Record<string, string | undefined>>) =>
  id ? ` Pass project_id ${id} to every tool.` : "";

/** Common questions, for clients that offer prompts. They only need the tools. */
const templates: readonly Template[] = [
  {
    name: "review_quality",
    title: "Review data quality",
    description: "Which tables are failing or getting worse, why, and what to do first",
    arguments: [project],
    text: (given) =>
      `Review the quality of my data.${ofProject(given)} Start with get_context and list_contracts. For each table below 80 or degrading, use get_contract and list_evaluations to find which rules fail, since when, and how many rows are affected. Then tell me in a short table what is wrong, how sure you are, and what to fix first. List tables without a contract.`,
  },
  {
    name: "explain_subscription",
    title: "Explain a subscription's health",
    description: "Why a subscription is amber, red, or stalled",
    arguments: [
      { name: "subscription_id", description: "Subscription ID; defaults to the worst one", required: false },
      project,
    ],
    text: (given) =>
      `Explain why ${given.subscription_id ? `subscription ${given.subscription_id}` : "my worst subscription"} is as it is.${ofProject(given)} ${given.subscription_id ? "" : "Find it with list_subscription_health. "}Read get_subscription_detail: its executions with their errors, open tasks, and anomalies. Tell me what fails, since when, the likely cause with evidence, and the next step.`,
  },
  {
    name: "answer_question",
    title: "Answer a question from the data",
    description: "Answer a question in plain language with SQL that is checked and shown",
    arguments: [{ name: "question", description: "What you want to know", required: true }, project],
    text: (given) =>
      `Answer this question from my data: ${given.question}\n\n${ofProject(given).trim()} Find the tables with search, read get_documentation for those that you need, check your SQL with dry_run, and run it with query. Show the SQL with the answer, and warn me if a table that you used scores below 80.`,
  },
];

export const prompts: Prompt[] = templates.map(({ text: _, arguments: taken, ...template }) => ({
  ...template,
  arguments: [...taken],
}));

/** Throws ProtocolFault for an unknown prompt and for missing or unknown arguments. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const template = templates.find((each) => each.name === name);
  if (!template) throw new ProtocolFault("invalidParams", `Unknown prompt: ${name}`);
  const missing = template.arguments.find((each) => each.required && !given[each.name]?.trim());
  if (missing) throw new ProtocolFault("invalidParams", `${missing.name} is required`);
  const unknown = Object.keys(given).find((each) => template.arguments.every((known) => known.name !== each));
  if (unknown !== undefined)
    throw new ProtocolFault("invalidParams", `${unknown} is not an argument of this prompt`);
  const text = template.text(given);
  return { description: template.description, messages: [{ role: "user", content: { type: "text", text } }] };
}
