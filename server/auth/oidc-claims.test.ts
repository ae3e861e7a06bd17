import { describe, expect, test } from "vitest";
import { readSettings } from "../env.ts";
import { configuredOidc, type Oidc } from "./oidc.ts";
import { identityOf, rolesOf } from "./oidc-claims.ts";

const required = {
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "plumbline",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_ROLES: "Editor=data-team, Admin=plumbline-admins,Editor=cn=analysts;dc=example,Viewer=readers",
};

function oidc(more: Record<string, string> = {}): Oidc {
  const configured = configuredOidc(readSettings({ ...required, ...more }));
  if (!configured) throw new Error("OIDC is not configured");
  return configured;
}

const roleOf = (claims: Record<string, unknown>, by: Oidc) => rolesOf(claims, by).role;

describe("the role", () => {
  test.each([
    ["the highest of the mapped values", { groups: ["readers", "plumbline-admins", "data-team"] }, "Admin"],
    ["the only one", { groups: ["data-team"] }, "Editor"],
    ["of a value that holds an equals sign", { roles: ["cn=analysts;dc=example"] }, "Editor"],
    ["of roles and groups alike", { roles: ["readers"], groups: ["data-team"] }, "Editor"],
    ["of one text instead of a list", { roles: "readers" }, "Viewer"],
    ["none of another value", { groups: ["PLUMBLINE-ADMINS", " plumbline-admins", "plumbline"] }, null],
    ["none of what is no text", { groups: [["plumbline-admins"], { a: "plumbline-admins" }, 7, null] }, null],
    ["none of an object", { groups: { "plumbline-admins": true } }, null],
    ["none of several in one text", { groups: "plumbline-admins data-team" }, null],
    ["none of other claims", { scope: "plumbline-admins", role: "plumbline-admins" }, null],
    ["none without claims", {}, null],
  ])("is %s", (_which, claims, role) => {
    expect(roleOf(claims, oidc())).toBe(role);
  });

  test("without a mapped value is the default, if there is one", () => {
    expect(roleOf({ groups: ["others"] }, oidc({ OIDC_DEFAULT_ROLE: "Viewer" }))).toBe("Viewer");
    expect(roleOf({ groups: ["data-team"] }, oidc({ OIDC_DEFAULT_ROLE: "Viewer" }))).toBe("Editor");
    expect(roleOf({ groups: ["others"] }, oidc({ OIDC_DEFAULT_ROLE: "none" }))).toBeNull();
  });

  test("is read from OIDC_ROLE_CLAIM, as a full name or a path, and nowhere else", () => {
    const nested = oidc({ OIDC_ROLE_CLAIM: "realm_access.roles" });
    expect(roleOf({ realm_access: { roles: ["data-team"] } }, nested)).toBe("Editor");
    expect(roleOf({ realm_access: "roles", groups: ["plumbline-admins"] }, nested)).toBeNull();
    const whole = oidc({ OIDC_ROLE_CLAIM: "https://example.com/roles" });
    expect(roleOf({ "https://example.com/roles": ["data-team"] }, whole)).toBe("Editor");
    expect(roleOf({}, oidc({ OIDC_ROLE_CLAIM: "constructor.name" }))).toBeNull();
  });
});

describe("roles in projects", () => {
  const mapped = oidc({
    OIDC_PROJECT_ROLES:
      "Sales:Editor=sales, Sales: EU:Viewer=cn=eu;dc=example,7:Admin=owners,Sales:Viewer=everyone",
    OIDC_DEFAULT_ROLE: "Viewer",
  });

  test.each([
    ["all that are mapped", ["sales", "owners", "everyone"], ["Sales Editor", "7 Admin", "Sales Viewer"]],
    ["of a name with a colon, and a value with an equals sign", ["cn=eu;dc=example"], ["Sales: EU Viewer"]],
    ["none of other values", ["SALES", "sales "], []],
  ])("are %s", (_which, groups, expected) => {
    const { projectRoles } = rolesOf({ groups }, mapped);
    expect(projectRoles.map(({ project, role }) => `${project} ${role}`)).toEqual(expected);
  });

  test("take the place of the default role, and a mapped role takes theirs", () => {
    expect(rolesOf({ groups: ["sales"] }, mapped).role).toBeNull();
    expect(rolesOf({ groups: ["sales", "readers"] }, mapped)).toEqual({ role: "Viewer", projectRoles: [] });
    expect(rolesOf({ groups: [] }, mapped)).toEqual({ role: "Viewer", projectRoles: [] });
  });
});

describe("identity", () => {
  const of = (claims: Record<string, unknown>) => identityOf({ sub: "a1", ...claims }, oidc());

  test("is the subject at the issuer; the rest is descriptive", () => {
    const claims = { name: " Ada\u0000 Lovelace ", email: "Ada@Example.com", email_verified: true };
    expect(of({ ...claims, groups: ["readers"] })).toEqual({
      ...{ issuer: "https://id.example.com", subject: "a1", name: "Ada  Lovelace", email: "Ada@Example.com" },
      ...{ isEmailVerified: true, role: "Viewer", projectRoles: [] },
    });
  });

  test.each([
    ["preferred_username", { preferred_username: "ada", email: "ada@example.com" }, "ada"],
    ["the address", { name: "  ", email: "ada@example.com" }, "ada@example.com"],
    ["the subject", { name: 7 }, "a1"],
  ])("is displayed as %s without a name", (_by, claims, name) => {
    expect(of(claims)?.name).toBe(name);
  });

  test.each([undefined, "", 7, "ü", "a\nb", "x".repeat(256)])("is nobody with the subject %j", (sub) => {
    expect(of({ sub })).toBeNull();
  });

  test("has no invalid email address, and only true counts as verified", () => {
    for (const email of [
      "ada",
      "ada@",
      "a b@example.com",
      "a\u0000@example.com",
      7,
      `${"x".repeat(200)}@example.com`,
    ])
      expect(of({ email, email_verified: true })).toMatchObject({ email: null, isEmailVerified: false });
    expect(of({ email: "ada@example.com", email_verified: "true" })?.isEmailVerified).toBe(false);
  });
});
