import { expect, test } from "vitest";
import { type DestinationType, destinations, keyAndServer, shownDestination } from "./destinations.ts";

const pagerDuty = "0123456789abcdef0123456789abcdef";
const opsgenie = "eb243592-faa2-4ba2-a551-1afdf565c889";
const account = "https://AC1:token@api.twilio.com/";

test.each<[DestinationType, string, boolean]>([
  ["Email", "team@example.com", true],
  ["Email", "https://example.com", false],
  ["Slack", "https://hooks.slack.com/services/T/B/x", true],
  ["PagerDuty", pagerDuty, true],
  ["PagerDuty", `https://${pagerDuty}@events.eu.pagerduty.com`, true],
  ["PagerDuty", "https://events.pagerduty.com", false],
  ["PagerDuty", "too-short", false],
  ["Opsgenie", opsgenie, true],
  ["Opsgenie", `https://${opsgenie}@api.eu.opsgenie.com`, true],
  ["Opsgenie", pagerDuty, false],
  ["Discord", "https://discord.com/api/webhooks/1/x", true],
  ["Discord", "ftp://discord.com", false],
  ["Ntfy", "https://ntfy.sh/data-team", true],
  ["Ntfy", "https://ntfy.sh/", false],
  ["Ntfy", "https://ntfy.sh/a/b", false],
  ["Sms", `${account}?from=%2B15005550006&to=%2B4915112345678`, true],
  ["Sms", `${account}?from=Plumbline&to=%2B4915112345678`, true],
  ["Sms", `${account}?from=Plumbline&to=12`, false],
  ["Sms", "https://api.twilio.com/?from=a&to=%2B4915112345678", false],
  // A plus is often written as it is.
  ["Sms", `${account}?from=+15005550006&to=+4915112345678`, true],
  // What is no address, or no encoding, is an answer and not an error.
  ["Ntfy", "nonsense", false],
  ["Sms", "nonsense", false],
  ["PagerDuty", "https://%zz@events.pagerduty.com", false],
])("%s: %s", (type, destination, fits) => {
  expect(destinations[type].schema.safeParse(destination).success).toBe(fits);
});

test.each<[DestinationType, string, string]>([
  ["Email", "team@example.com", "team@example.com"],
  ["Slack", "https://hooks.slack.com/services/T/B/x", "hooks.slack.com/…/B/x"],
  ["Teams", "https://a.logic.azure.com/workflows/1?sig=hush", "a.logic.azure.com/…hush"],
  ["Webhook", "https://user:hush@hooks.example.com:8443/quality", "hooks.example.com:8443/…lity"],
  ["Ntfy", "https://ntfy.sh/data-team", "ntfy.sh/…team"],
  ["PagerDuty", pagerDuty, "…cdef"],
  ["PagerDuty", `https://${pagerDuty}@events.eu.pagerduty.com`, "events.eu.pagerduty.com/….com"],
  ["Discord", "https://discord.com/api/webhooks/1/secret", "discord.com/…cret"],
  ["Sms", `${account}?from=a&to=%2B4915112345678`, "api.twilio.com/ to +4915112345678"],
])("of %s %s is shown %s", (type, destination, shown) => {
  expect(shownDestination(type, destination)).toBe(shown);
});

test("a key is the whole destination, or the user of an address", () => {
  expect(keyAndServer(pagerDuty, "https://usual.example.com")).toEqual({
    ...{ key: pagerDuty, server: "https://usual.example.com" },
  });
  expect(keyAndServer(`https://${opsgenie}@api.eu.opsgenie.com/x`, "https://usual.example.com")).toEqual({
    ...{ key: opsgenie, server: "https://api.eu.opsgenie.com" },
  });
});
