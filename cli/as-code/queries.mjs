import { any, list, optional, record, reference, required, text } from "./shape.mjs";

/** A path of folders, from the top level down. */
export const separator = " / ";

/** @type {import("./kinds.mjs").Kind} */
export const queries = {
  ...{ kind: "Query", words: "query", key: "queries", path: "/queries", role: "Editor" },
  file: ({ name }, slug) => `queries/${slug(name)}`,
  fields: {
    project: required(reference("Project")),
    name: required(text),
    description: optional(text),
    folder: optional(text),
    steps: required(
      list(
        record({
          name: optional(text),
          dataSource: optional(reference("DataSource")),
          sql: optional(text),
          request: optional(any),
        }),
      ),
    ),
  },
  list: async (api) => {
    const items = await api.pages("/queries");
    for (const query of items.filter(({ pendingVersion }) => pendingVersion !== null))
      query.pendingSteps = (await api.items(`/queries/${query.id}/versions`)).find(
        ({ number }) => number === query.pendingVersion,
      )?.steps;
    return items;
  },
  document: ({ projectId, name, description, folderPath, pendingSteps, steps }, names) => ({
    ...{ project: names("Project", projectId), name, description, folder: folderPath },
    // What waits for approval is what the files said last.
    steps: (pendingSteps ?? steps).map((/** @type {any} */ step) => ({
      ...{ name: step.name, sql: step.sql ?? null, request: step.request ?? null },
      dataSource: step.dataSourceId === null ? null : names("DataSource", step.dataSourceId),
    })),
  }),
  tidy: (document) => ({
    ...document,
    steps: document.steps.map((/** @type {any} */ step, /** @type {number} */ index) => ({
      ...step,
      name: step.name ?? `Step ${index + 1}`,
    })),
  }),
  before: async ({ project, folder }, api, id) =>
    folder === null ? {} : { folderId: await folderId(api, id("Project", project), folder.split(separator)) },
  request: ({ project, name, description, steps }, id) => ({
    ...{ projectId: id("Project", project), name, description },
    steps: steps.map((/** @type {any} */ step) => ({
      name: step.name,
      ...(step.dataSource !== null && { dataSourceId: id("DataSource", step.dataSource) }),
      ...(step.sql !== null && { sql: step.sql }),
      ...(step.request !== null && { request: step.request }),
    })),
  }),
  // What an AI actor made is its own to change.
  isForeign: ({ ownerActorId }) => ownerActorId !== null,
  note: ({ pendingVersion }) => (pendingVersion ? "its new version waits for approval" : null),
};

/**
 * The folder of this path, created if it is missing.
 * @param {import("./kinds.mjs").Api} api
 * @param {number} projectId
 * @param {string[]} names
 */
async function folderId(api, projectId, names) {
  let path = "";
  let parentId = null;
  for (const name of names) {
    path = path === "" ? name : `${path}${separator}${name}`;
    const there = await api.items(`/query-folders?projectId=${projectId}`);
    const found = there.find((each) => each.path === path);
    const body = { projectId, parentId, name };
    parentId = found?.id ?? (await api.send("POST", "/query-folders", { json: body })).id;
  }
  return parentId;
}
