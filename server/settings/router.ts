import { procedureFor, router } from "../trpc.ts";
import { type Settings, settingsOriginSchema, settingsSchema, updateSettingsInput } from "./schema.ts";
import { findSettingsOrigin, getSettings, updateSettings } from "./service.ts";

const tag = "Settings";

const inWords = ({ approvalWorkflow, fourEyes }: Settings) =>
  `Approval workflow ${approvalWorkflow ? "on" : "off"}, four eyes ${fourEyes ? "on" : "off"}`;

export const settingsRouter = router({
  get: procedureFor("settings:manage")
    .meta({ rest: { method: "GET", path: "/settings", tag, summary: "What holds for the whole service" } })
    .output(settingsSchema)
    .query(() => getSettings()),

  /** For the browser: whether it is the configuration that holds. */
  origin: procedureFor("settings:manage")
    .output(settingsOriginSchema)
    .query(() => findSettingsOrigin()),

  update: procedureFor("settings:manage")
    .meta({
      audit: "settings",
      auditDetail: inWords,
      rest: { method: "PUT", path: "/settings", tag, summary: "Change what holds for the whole service" },
    })
    .input(updateSettingsInput)
    .output(settingsSchema)
    .mutation(({ input }) => updateSettings(input)),
});
