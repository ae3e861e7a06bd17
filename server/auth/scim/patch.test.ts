import { describe, expect, test } from "vitest";
import { readFilter } from "./filter.ts";
import { applyPatch } from "./patch.ts";
import { patchInput } from "./schema.ts";

const schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];
const known = ["userName", "displayName", "name", "emails", "active", "members", "externalId"];
const patched = (resource: object, ...Operations: object[]) =>
  applyPatch({ ...resource }, patchInput.parse({ schemas, Operations }).Operations, known);

const babs = {
  displayName: "Babs Jensen",
  name: { givenName: "Barbara", familyName: "Jensen" },
  emails: [{ value: "babs@jensen.org", type: "home" }],
};
const group = { members: [{ value: "2819c223", display: "Babs Jensen" }, { value: "902c246b" }] };

describe("the examples of RFC 7644, 3.5.2", () => {
  test("adding a member to a group (3.5.2.1)", () => {
    const value = [{ display: "James Smith", value: "08e1d05d" }];
    expect(patched(group, { op: "add", path: "members", value }).members).toEqual([
      ...group.members,
      ...value,
    ]);
    // Adding what is there changes nothing.
    expect(patched(group, { op: "add", path: "members", value: [{ value: "902c246b" }] })).toEqual(group);
  });

  test("adding several attributes without a path (3.5.2.1)", () => {
    const value = { emails: [{ value: "babs@example.com", type: "work" }], nickname: "Babs" };
    expect(patched(babs, { op: "add", value })).toEqual({
      ...babs,
      emails: [...babs.emails, ...value.emails],
    });
  });

  test("removing one member, all members, and an address by type and value (3.5.2.2)", () => {
    const remove = (path: string, from: object) => patched(from, { op: "remove", path });
    expect(remove('members[value eq "2819c223"]', group)).toEqual({ members: [{ value: "902c246b" }] });
    expect(remove("members", group)).toEqual({ members: [] });
    expect(remove('emails[type eq "home"]', babs).emails).toEqual([]);
  });

  test("replacing all members, an address by type, and one of its attributes (3.5.2.3)", () => {
    const members = [{ value: "x1" }, { value: "x2" }];
    expect(patched(group, { op: "replace", path: "members", value: members })).toEqual({ members });
    const path = 'emails[type eq "home"].value';
    expect(patched(babs, { op: "replace", path, value: "b@jensen.org" }).emails).toEqual([
      { value: "b@jensen.org", type: "home" },
    ]);
    expect(patched(babs, { op: "replace", value: { displayName: "B" } }).displayName).toBe("B");
  });
});

describe("what Entra ID sends", () => {
  test("operations with a capital, and flags as text", () => {
    expect(patched({ active: true }, { op: "Replace", path: "active", value: "False" }).active).toBe("False");
  });

  test("an address of a type that is not there yet, and names by path", () => {
    const path = 'emails[type eq "work"].value';
    expect(patched(babs, { op: "Replace", path, value: "babs@example.com" }).emails).toEqual([
      ...babs.emails,
      { type: "work", value: "babs@example.com" },
    ]);
    expect(patched(babs, { op: "Add", path: "name.givenName", value: "Babs" }).name).toEqual({
      givenName: "Babs",
      familyName: "Jensen",
    });
    expect(patched(babs, { op: "Replace", value: { "name.familyName": "J." } }).name).toMatchObject({
      familyName: "J.",
    });
  });

  test("members to remove as a value", () => {
    const value = [{ value: "902c246b" }];
    expect(patched(group, { op: "Remove", path: "members", value }).members).toEqual([group.members[0]]);
  });

  test("attributes of other schemas, which are ignored", () => {
    const path = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department";
    expect(patched(babs, { op: "Add", path, value: "Tour Operations" })).toEqual(babs);
  });
});

test("what Okta sends: a value without a path", () => {
  expect(patched({ active: true }, { op: "replace", value: { active: false } })).toEqual({ active: false });
});

test.each([
  [{ op: "remove" }, "invalidPath"],
  [{ op: "replace", value: "x" }, "invalidValue"],
  [{ op: "replace", path: "emails[", value: "x" }, "invalidPath"],
  [{ op: "add", path: "members", value: "7" }, "invalidValue"],
])("%j is rejected", (operation, scimType) => {
  expect(() => patched(group, operation)).toThrowError(expect.objectContaining({ status: 400, scimType }));
});

describe("filters", () => {
  test.each([
    ['userName eq "bjensen"', { attribute: "username", value: "bjensen" }],
    ['USERNAME EQ "a \\"b\\""', { attribute: "username", value: 'a "b"' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "J"', { attribute: "username", value: "J" }],
    ['emails[type eq "work"].value eq "a@b.c"', { attribute: "emails.value", value: "a@b.c" }],
    ["active eq True", { attribute: "active", value: true }],
  ])("%s is read", (text, expected) => {
    expect(readFilter(text)).toEqual(expected);
  });

  test.each([
    'userName sw "J"',
    "userName pr",
    'title eq "x" and active eq true',
    "userName eq 7",
    "",
    'userName eq "a',
  ])("%s is rejected", (text) => {
    expect(() => readFilter(text)).toThrowError(expect.objectContaining({ scimType: "invalidFilter" }));
  });
});
