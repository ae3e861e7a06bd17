import { procedureFor, router } from "../trpc.ts";
import { type Settings, settingsSchema, updateSettingsInput } from "./schema.ts";
import { getSettings, updateSettings } from "./service.ts";

const tag = "Settings";

const inWords = ({ approvalWorkflow, fourEyes }: Settings) =>
  `Approval workflow ${approvalWorkflow ? "on" : "off"}, four eyes ${fourEyes ? "on" : "off"}`;

export const settingsRouter = router({
  get: procedureFor("settings:manage")
    .meta({ rest: { method: "GET", path: "/settings", tag, summary: "What holds for the whole service" } })
    .output(settingsSchema)
    .query(() => getSettings()),

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
