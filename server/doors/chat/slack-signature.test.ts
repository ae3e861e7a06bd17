import { describe, expect, test } from "vitest";
import { isSignedBySlack, slackSignatureOf } from "./slack-signature.ts";

/** The example in Slack's documentation on verifying requests. */
const secret = "8f742231b10e8888abcd99yyyzzz85a5";
const timestamp = "1531420618";
const body = Buffer.from(
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
);
const signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
const then = 1531420618_000;
const minutes = 60_000;

test("is that of Slack's own example", () => {
  expect(slackSignatureOf({ timestamp, body }, secret)).toBe(signature);
});

describe("a request is from Slack", () => {
  test("with its signature, up to five minutes off", () => {
    const signed = { timestamp, signature, body };
    expect(isSignedBySlack(signed, secret, then)).toBe(true);
    expect(isSignedBySlack(signed, secret, then + 5 * minutes)).toBe(true);
    expect(isSignedBySlack(signed, secret, then + 5 * minutes + 1)).toBe(false);
    expect(isSignedBySlack(signed, secret, then - 5 * minutes - 1)).toBe(false);
  });

  test.each([
    ["another body", { body: Buffer.concat([body, Buffer.from(" ")]) }],
    ["another time", { timestamp: "1531420619" }],
    ["another signature", { signature: signature.replace(/.$/, "4") }],
    ["a signature of another version", { signature: signature.replace("v0", "v1") }],
    ["a shorter signature", { signature: signature.slice(0, -1) }],
    ["no signature", { signature: null }],
    ["no time", { timestamp: null }],
    ["a time that is no number", { timestamp: "NaN" }],
  ])("but not with %s", (_, other) => {
    expect(isSignedBySlack({ timestamp, signature, body, ...other }, secret, then)).toBe(false);
  });

  test("but not with another secret", () => {
    expect(isSignedBySlack({ timestamp, signature, body }, `${secret}x`, then)).toBe(false);
  });
});
