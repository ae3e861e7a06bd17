import { expect, test } from "vitest";
import { type AuditFilters, auditInput, authorKeyOf, principalOf } from "./audit-filter.ts";

const none: AuditFilters = {
  who: null,
  action: null,
  kind: null,
  object: null,
  from: null,
  to: null,
  page: 1,
};

test("pages count from 1 in the URL and from 0 in the API, and invalid values are ignored", () => {
  expect(auditInput(none)).toEqual({ page: 0, pageSize: 100 });
  expect(auditInput({ ...none, page: 3 })).toEqual({ page: 2, pageSize: 100 });
  expect(auditInput({ ...none, page: -7, who: "Nobody-1", object: -1 })).toEqual({ page: 0, pageSize: 100 });
});

test("the author of any entry can be used as a filter", () => {
  const who = authorKeyOf({ principal: { kind: "ApiKey", id: 5 } });
  expect(auditInput({ ...none, who })).toMatchObject({ principalKind: "ApiKey", principalId: 5 });
  expect(principalOf(authorKeyOf({ principal: { kind: "System", id: null } }))).toEqual({ kind: "System" });
});

test("the author filter is parsed strictly", () => {
  expect(principalOf("User-3")).toEqual({ kind: "User", id: 3 });
  for (const who of [null, "", "user-3", "User-0", "User--3", "User-3x", "User-99999999999"])
    expect(principalOf(who)).toBeNull();
});
