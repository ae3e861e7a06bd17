import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
} from "nuqs/server";
import { pageInput, pageParameter } from "@/components/ui/list-input.ts";
import { principalKinds } from "@/server/audit/principal-kinds.ts";

export const entriesPerPage = 100;

/** Filters of the audit log, in the URL. Times rather than dates, so that a link means the same in every time zone. */
export const auditParameters = {
  /** `User-3`, `ApiKey-5`, or a kind alone: `System`. */
  who: parseAsString,
  action: parseAsString,
  kind: parseAsString,
  object: parseAsInteger,
  from: parseAsIsoDateTime,
  /** Exclusive. */
  to: parseAsIsoDateTime,
  ...pageParameter,
};

export type AuditFilters = inferParserType<typeof auditParameters>;

export const loadAuditFilters = createLoader(auditParameters);

export type PrincipalKind = (typeof principalKinds)[number];

/** The principal that a `who` value refers to; null if invalid. */
export function principalOf(who: string | null): { kind: PrincipalKind; id?: number } | null {
  const [, name, digits] = /^([A-Za-z]+)(?:-([1-9]\d{0,8}))?$/.exec(who ?? "") ?? [];
  const kind = principalKinds.find((each) => each === name);
  if (!kind) return null;
  return digits ? { kind, id: Number(digits) } : { kind };
}

const whoOf = (kind: PrincipalKind, id: number | null) => (id === null ? kind : `${kind}-${id}`);

/** The `who` value for an entry's author. */
export const authorKeyOf = ({ principal }: { principal: { kind: PrincipalKind; id: number | null } }) =>
  whoOf(principal.kind, principal.id);

/** The list procedure's input; invalid values in the URL are ignored. */
export function auditInput({ who, action, kind, object, from, to, page }: AuditFilters) {
  const principal = principalOf(who);
  return {
    ...pageInput(page, entriesPerPage),
    ...(principal && { principalKind: principal.kind }),
    ...(principal?.id && { principalId: principal.id }),
    ...(action && { action }),
    ...(kind && { objectKind: kind }),
    ...(object && object > 0 && { objectId: object }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
  };
}
