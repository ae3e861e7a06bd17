import { reference, required, set, text } from "./shape.mjs";
import { tidyTags } from "./tags.mjs";

/** The tags of a table are one thing: those who look after it say all of them. @type {import("./kinds.mjs").Kind} */
export const tableTags = {
  ...{ kind: "TableTags", words: "tag list", key: "tableTags", path: "/data-sources", role: "Editor" },
  file: () => "table-tags",
  fields: {
    project: required(reference("Project")),
    dataSource: required(reference("DataSource")),
    ...{ schemaName: required(text), tableName: required(text), tags: required(set(text)) },
  },
  identity: ({ project, dataSource, schemaName, tableName }) => [project, dataSource, schemaName, tableName],
  label: ({ dataSource, schemaName, tableName }) => `${schemaName}.${tableName} of ${dataSource}`,
  check({ tags }, report) {
    if (Array.isArray(tags) && tags.length === 0)
      report(["tags"], "tags must have at least one: leave a table without tags out of the files");
  },
  list: async (api) => {
    const lists = [];
    for (const { id: dataSourceId, projectId } of await api.items("/data-sources"))
      for (const each of await api.items(`/data-sources/${dataSourceId}/tags`))
        lists.push({ ...each, dataSourceId, projectId });
    return lists;
  },
  document: ({ projectId, dataSourceId, schemaName, tableName, tags }, names) => ({
    ...{ project: names("Project", projectId), dataSource: names("DataSource", dataSourceId) },
    ...{ schemaName, tableName, tags },
  }),
  tidy: (document) => ({ ...document, tags: tidyTags(document.tags) }),
  request: ({ dataSource, schemaName, tableName, tags }, id) => ({
    ...{ dataSourceId: id("DataSource", dataSource), schemaName, tableName, tags },
  }),
  send: (api, { dataSourceId, ...json }) => api.send("PUT", `/data-sources/${dataSourceId}/tags`, { json }),
  remove: (api, { dataSourceId, schemaName, tableName }) =>
    api.send("PUT", `/data-sources/${dataSourceId}/tags`, { json: { schemaName, tableName, tags: [] } }),
};
