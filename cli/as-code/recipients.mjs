import { destination, flag, isSet, optional, reference, required, text, variableIn } from "./shape.mjs";

/** An email address and a channel of Slack are no secrets; whoever knows another destination can post there. */
const isOpen = (/** @type {string} */ type, /** @type {string} */ place) =>
  type === "Email" || (type === "Slack" && !/[…/]/.test(place));

/** @type {import("./kinds.mjs").Kind} */
export const recipients = {
  ...{ kind: "Recipient", words: "recipient", key: "recipients", path: "/recipients", role: "Editor" },
  file: () => "recipients",
  fields: {
    project: required(reference("Project")),
    name: required(text),
    type: required(text),
    destination: required(destination),
    enabled: optional(flag, true),
    decisions: optional(flag, false),
  },
  check({ type, destination: place }, report) {
    if (typeof type !== "string" || typeof place !== "string") return;
    const isVariable = variableIn(place) !== null;
    // Not the value: it may be the secret.
    if (!isVariable && !isOpen(type, place))
      report(["destination"], `destination must be \${env:VARIABLE} for ${type}: a file has no secrets`);
    if (isVariable && type === "Email")
      report(["destination"], "destination is no secret: write the address");
  },
  list: (api) => api.items("/recipients"),
  document: ({ projectId, name, type, destination: place, enabled, decisions }, names) => ({
    ...{ project: names("Project", projectId), name, type, enabled, decisions },
    destination: isOpen(type, place) ? place : isSet,
  }),
  request: ({ name, type, destination: place, enabled, decisions, project }, id) => ({
    ...{ projectId: id("Project", project), name, type, destination: place, enabled, decisions },
  }),
  sendsSecrets: /^(type|destination)$/,
  // A recipient stays in its project. What is shown of its destination, sent back, keeps it.
  update: ({ projectId: _, ...body }, { destination: shown }) => ({
    ...body,
    destination: body.destination ?? shown,
  }),
};
