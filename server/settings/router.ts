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

/** An entry says what holds, and what was asked for where that waits. */
const settingsDetail = ({ pendingChange, ...holds }: Settings) =>
  pendingChange ? `${inWords(holds)}. Waits for another Admin: ${inWords(pendingChange)}` : inWords(holds);

export const settingsRouter = router({
  get: procedureFor("settings:manage")
    .meta({ rest: { method: "GET", path: "/settings", tag, summary: "What holds for the whole service" } })
    .output(settingsSchema)
    .query(() => showSettings()),

  /** For the browser: whether it is the configuration that holds. */
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
        summary: "Change what holds for the whole service",
        description:
          "Answers what holds now. While four eyes are on, switching either setting off needs another Admin: the " +
          "settings stay, and `pendingChange` is what waits. It holds at once where nobody else is an Admin, or was " +
          "in the last 7 days. Each PUT takes the place of a change that waits.",
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
        summary: "Approve a change of the settings, which holds from then on",
        description: "By another Admin than the one who asked for it, who was one by then; else a 403.",
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
        summary: "Reject a change of the settings, or take it back",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(settingsSchema)
    .mutation(({ ctx, input }) => rejectSettingsChange(ctx, input.id)),
});
