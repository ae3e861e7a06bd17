import { aiActors } from "./ai-actors.mjs";
import { contracts } from "./contracts.mjs";
import { dataSources } from "./data-sources.mjs";
import { incidentPolicies } from "./incident-policies.mjs";
import { maintenanceWindows } from "./maintenance-windows.mjs";
import { projects } from "./projects.mjs";
import { queries } from "./queries.mjs";
import { recipients } from "./recipients.mjs";
import { ruleTemplates } from "./rule-templates.mjs";
import { serviceAccounts } from "./service-accounts.mjs";
import { subscriptions } from "./subscriptions.mjs";
import { tableTags } from "./table-tags.mjs";

/**
 * The kinds of things that files can describe, each one file of this folder: how it is written in a file, how the service
 * has it, and what the service is sent.
 *
 * @typedef {import("./shape.mjs").Document} Document
 * @typedef {(kind: string, name: string) => number} IdOf by the name of something in the document's project
 * @typedef {(kind: string, id: number) => string} NameOf
 * @typedef {{
 *   items(path: string): Promise<any[]>, pages(path: string): Promise<any[]>,
 *   send(method: "POST" | "PUT" | "DELETE", path: string, sent?: object): Promise<any>,
 * }} Api
 * @typedef {{
 *   kind: string, words: string, key: string, path: string, role: "Editor" | "Admin",
 *   fields: import("./shape.mjs").Fields,
 *   file(document: Document, slug: (name: string) => string): string,
 *   list(api: Api): Promise<any[]>,
 *   document(thing: any, names: NameOf): Document,
 *   request(document: Document, id: IdOf): Record<string, any>,
 *   identity?(document: Document): string[],
 *   label?(document: Document): string,
 *   check?(document: Document, report: import("./shape.mjs").Report): void,
 *   tidy?(document: Document): Document,
 *   adopt?(wanted: Document, present: Document): Document,
 *   before?(document: Document, api: Api, id: IdOf): Promise<Record<string, any>>,
 *   update?(body: Record<string, any>, thing: any): Record<string, any>,
 *   note?(answer: any): string | null,
 *   isForeign?(thing: any): boolean, foreign?: string, isOfNoProject?: true,
 *   send?(api: Api, body: Record<string, any>): Promise<any>, remove?(api: Api, thing: any): Promise<any>,
 *   fixed?: string[], removal?: string, sendsSecrets?: RegExp,
 * }} Kind
 *
 * `key` is its list in a file, `fields` its shape there. `document` is a thing of the service in that shape, and `request`
 * is what creates it; `update` makes it what changes a thing, and `before` adds what has to be there first. `identity` is
 * what makes it the same thing (its project and name), and `label` what it is called. `tidy` fills in what depends on other
 * fields, and `adopt` what only the service knows. `fixed` fields cannot change. `sendsSecrets` are the
 * fields that cannot change without sending the secrets again; otherwise they are null, and kept. `isForeign` is true of
 * what something else looks after: files may name it, and never describe it; `foreign` says why, if another one of its name
 * would be confusing. `send` and `remove` are for what has no path of its own. `note` is a word about the answer to a change.
 */

/** In the order in which they are applied: what others refer to comes first. @type {Kind[]} */
export const kinds = [
  projects,
  serviceAccounts,
  recipients,
  dataSources,
  tableTags,
  queries,
  subscriptions,
  contracts,
  ruleTemplates,
  incidentPolicies,
  maintenanceWindows,
  aiActors,
];

/** @type {(kind: string) => Kind} */
export function kindOf(name) {
  const found = kinds.find(({ kind }) => kind === name);
  if (!found) throw new Error(`${name} is no kind`);
  return found;
}

/** @type {(kind: Kind, document: Document) => string[]} */
export const identityOf = (kind, document) => kind.identity?.(document) ?? [document.project, document.name];

/** @type {(kind: Kind, document: Document) => string} */
export const labelOf = (kind, document) => kind.label?.(document) ?? document.name;
