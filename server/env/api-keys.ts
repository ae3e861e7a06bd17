import { days, flag } from "./values.ts";

/** What API keys may be and do. */
export const apiKeySettings = {
  KEYS_MAY_MAKE_ADMINS: flag
    .default(false)
    .describe("on|off: API keys may create Admins and promote users to Admin."),
  KEYS_MAX_DAYS: days(1, null).describe(
    "The longest lifetime of an API key in days, counted from its creation. Then every new key needs an expiry, and older keys no longer work. No limit unless set.",
  ),
};
