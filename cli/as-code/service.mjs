import { call, ServiceError } from "../client.mjs";
import { identityOf, kinds, labelOf } from "./kinds.mjs";
import { documentOf } from "./read-folder.mjs";

/**
 * @typedef {import("./kinds.mjs").Kind} Kind
 * @typedef {{
 *   kind: Kind, id: number, raw: any, document: import("./shape.mjs").Document, identity: string, label: string,
 * }} Thing something that the service has
 * @typedef {{
 *   stack: string, path: string, takenOver: { at: string, by: string } | null,
 *   changedSince: { at: string, by: { name: string }, changes: { path: string, name: string | null }[] }[],
 * }} Mark whose a thing is
 * @typedef {{
 *   me: any, things: Thing[], hidden: Kind[], markOf(thing: Pick<Thing, "kind" | "id">): Mark | undefined,
 * }} Present `hidden` are the kinds that the key may not list
 */

const pageSize = 500;

/**
 * The REST API, for a stack or for nobody.
 * @param {{ url: string, key: string, deadline: number }} service
 * @param {Record<string, string>} [headers]
 * @returns {import("./kinds.mjs").Api}
 */
export function apiOf(service, headers = {}) {
  const get = (/** @type {string} */ path) => /** @type {Promise<any>} */ (call(service, "GET", path));
  return {
    items: async (path) => (await get(path)).items,
    pages: async (path) => {
      const all = [];
      for (let page = 0; ; page++) {
        const { items } = await get(`${path}?page=${page}&pageSize=${pageSize}`);
        all.push(...items);
        if (items.length < pageSize) return all;
      }
    },
    send: (method, path, sent = {}) =>
      /** @type {Promise<any>} */ (call(service, method, path, { headers, ...sent })),
  };
}

/** The headers by which a change is made for a stack, from a file. */
export const actingFor = (/** @type {string} */ stack, /** @type {string} */ path) => ({
  "plumbline-stack": stack,
  "plumbline-path": encodeURIComponent(path),
});

/**
 * All that the key sees, in the shape of files.
 * @param {{ url: string, key: string, deadline: number }} service
 * @returns {Promise<Present>}
 */
export async function loadPresent(service) {
  const api = apiOf(service);
  const me = await call(service, "GET", "/auth/me");
  /** @type {Thing[]} */
  const things = [];
  const names = (/** @type {string} */ kind, /** @type {number} */ id) => {
    const found = things.find((each) => each.kind.kind === kind && each.id === id);
    if (!found) throw new Error(`The service has no ${kind} with the id ${id}: try again`);
    return found.document.name;
  };
  /** @type {Kind[]} */
  const hidden = [];
  const listed = async (/** @type {Kind} */ kind) => {
    try {
      return await kind.list(api);
    } catch (error) {
      if (!kind.isOfNoProject || !(error instanceof ServiceError) || error.status !== 403) throw error;
      hidden.push(kind);
      return [];
    }
  };
  for (const kind of kinds)
    for (const raw of await listed(kind)) {
      const document = documentOf(kind, kind.document(raw, names));
      const identity = JSON.stringify(identityOf(kind, document));
      things.push({ kind, id: raw.id, raw, document, identity, label: labelOf(kind, document) });
    }
  const marks = new Map((await api.items("/stacks/things")).map((mark) => [`${mark.kind} ${mark.id}`, mark]));
  return { me, things, hidden, markOf: ({ kind, id }) => marks.get(`${kind.kind} ${id}`) };
}
