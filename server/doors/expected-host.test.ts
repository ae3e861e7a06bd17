import { afterEach, expect, test } from "vitest";
import { env } from "../env.ts";
import { rejectUnexpectedHost } from "./expected-host.ts";

afterEach(() => {
  Object.assign(env(), { PUBLIC_URL: undefined });
});

const isRefused = (host: string) => {
  try {
    rejectUnexpectedHost({ headers: new Headers({ host }) });
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "forbidden", detail: expect.stringContaining("PUBLIC_URL") });
    return true;
  }
};

test.each([
  "localhost:3000",
  "127.0.0.1:3000",
  "[::1]:3000",
  "192.168.1.20:3000",
  "[2001:db8::1]",
  "nas:3000",
  "plumbline",
  "nas.local:3000",
  "plumbline.prod.svc.cluster.local",
  "plumbline.internal",
  "plumbline.home.arpa",
])("%s cannot be registered as a domain", (host) => {
  expect(isRefused(host)).toBe(false);
});

test.each([
  "attacker.example",
  "plumbline.example.com",
  "localhost.attacker.example",
  "127.0.0.1.attacker.example",
  "localhost@attacker.example",
  "",
])("%j is rejected without a PUBLIC_URL", (host) => {
  expect(isRefused(host)).toBe(true);
});

test("the name of PUBLIC_URL is accepted, on any port, and no other domain", () => {
  Object.assign(env(), { PUBLIC_URL: "https://plumbline.example.com" });
  expect(isRefused("plumbline.example.com")).toBe(false);
  expect(isRefused("Plumbline.Example.com:8443")).toBe(false);
  expect(isRefused("other.example.com")).toBe(true);
  expect(isRefused("plumbline.example.com.attacker.example")).toBe(true);
});
