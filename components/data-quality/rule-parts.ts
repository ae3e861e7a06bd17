/**
 * What the editor of a contract needs once someone opens, adds, tries, or saves rules: their definitions with their schemas,
 * and what shows them. The page is there before it, so it is only ever imported by `late-rules.ts`.
 */
export { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
export { ruleDefinitions } from "@/server/data-quality/rules/rules.ts";
export { contractInputOf, emptyRule, formOf } from "./contract-form.ts";
export { problemsOf } from "./contract-problems.ts";
export { hasRule, ruleOfFinding } from "./finding-rule.ts";
export { FindingRules } from "./finding-rules.tsx";
export { MeanwhileContract } from "./meanwhile-contract.tsx";
export { OpenRule } from "./open-rule.tsx";
export { suggestedRuleName } from "./rule-words.ts";
export { SuggestionDialog } from "./suggestion-dialog.tsx";
export { contractDraftOf, enabledPlaces, problemsOfTrial, ruleDraftOf, trialKey } from "./trial.ts";
