import {
  createLoader,
  type inferParserType,
  parseAsBoolean,
  parseAsInteger,
  parseAsStringLiteral,
} from "nuqs/server";
import { deliveryStatuses } from "@/server/notifications/schema.ts";
import { inProject } from "../projects/project-filter.ts";

export const deliveriesPerPage = 50;

/** What the ledger shows, in the address, beside the project. */
export const deliveryParameters = {
  status: parseAsStringLiteral(deliveryStatuses),
  /** Those alone that need attention. */
  failing: parseAsBoolean.withDefault(false),
  recipient: parseAsInteger,
  /** From 1, as people count. */
  page: parseAsInteger.withDefault(1),
};

export type DeliveryFilters = inferParserType<typeof deliveryParameters>;

export const loadDeliveryFilters = createLoader(deliveryParameters);

const isId = (id: number) => id > 0 && id <= 2_147_483_647;

/** The filters as the service takes them; what an address says in error is left out. */
export function deliveryInput({ status, failing, recipient, page }: DeliveryFilters, project: number | null) {
  return {
    page: Math.max(page, 1) - 1,
    pageSize: deliveriesPerPage,
    ...inProject(project),
    ...(status && { status }),
    ...(failing && { failing }),
    ...(recipient !== null && isId(recipient) && { recipientId: recipient }),
  };
}
