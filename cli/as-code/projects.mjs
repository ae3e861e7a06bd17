import { optional, required, text } from "./shape.mjs";

/** @type {import("./kinds.mjs").Kind} */
export const projects = {
  ...{ kind: "Project", words: "project", key: "projects", path: "/projects", role: "Admin" },
  file: () => "project",
  fields: { name: required(text), description: optional(text) },
  identity: ({ name }) => [name],
  list: (api) => api.items("/projects"),
  document: ({ name, description }) => ({ name, description }),
  request: ({ name, description }) => ({ name, description }),
};
