import { byId } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  type Settings,
  type SettingsWrite,
  settingsOriginSchema,
  settingsSchema,
  updateSettingsInput,
} from "./schema.ts";
import {
  approveSettingsChange,
  findSettingsOrigin,
  rejectSettingsChange,
  showSettings,
  updateSettings,
} from "./service.ts";

const tag = "Settings";

const inWords = ({ approvalWorkflow, fourEyes }: SettingsWrite) =>
  `Approval workflow ${approvalWorkflow ? "on" : "off"}, four eyes ${fourEyes ? "on" : "off"}`;

/** The entry has the current settings, and the requested change if it is pending. */
const settingsDetail = ({ pendingChange, ...holds }: Settings) =>
  pendingChange
    ? `${inWords(holds)}. Pending approval by another Admin: ${inWords(pendingChange)}`
    : inWords(holds);

export const settingsRouter = router({
  get: procedureFor("settings:manage")
    .meta({ rest: { method: "GET", path: "/settings", tag, summary: "Service-wide settings" } })
    .output(settingsSchema)
    .query(() => showSettings()),

  /** For the browser: whether the settings come from the configuration. */
  origin: procedureFor("settings:manage")
    .output(settingsOriginSchema)
    .query(() => findSettingsOrigin()),

  update: procedureFor("settings:manage")
    .meta({
      audit: "settings",
      auditDetail: settingsDetail,
      rest: {
        method: "PUT",
        path: "/settings",
        tag,
        summary: "Update service-wide settings",
        description:
          "Returns the current settings. With four eyes on, turning either setting off needs another Admin: the " +
          "settings stay, and `pendingChange` is the change. It applies immediately if nobody else is an Admin, or was " +
          "in the last 7 days. Each PUT replaces a pending change.",
      },
    })
    .input(updateSettingsInput)
    .output(settingsSchema)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),

  approveChange: procedureFor("settings:manage")
    .meta({
      audit: "settings",
      auditDetail: settingsDetail,
      rest: {
        method: "POST",
        path: "/settings/changes/{id}/approve",
        tag,
        summary: "Approve a settings change; it takes effect immediately",
        description:
          "Must be an Admin other than the requester who already was one at the time of the request; otherwise 403.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(settingsSchema)
    .mutation(({ ctx, input }) => approveSettingsChange(ctx, input.id)),

  rejectChange: procedureFor("settings:manage")
    .meta({
      audit: "settings",
      auditDetail: settingsDetail,
      rest: {
        method: "POST",
        path: "/settings/changes/{id}/reject",
        tag,
        summary: "Reject or withdraw a settings change",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(settingsSchema)
    .mutation(({ ctx, input }) => rejectSettingsChange(ctx, input.id)),
});
