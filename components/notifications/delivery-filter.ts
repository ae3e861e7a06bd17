import {
  createLoader,
  type inferParserType,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { deliveryStatuses } from "@/server/notifications/schema.ts";
import { inProject } from "../projects/project-filter.ts";

export const deliveriesPerPage = 50;

const orders = ["queued", "recipient", "attempts"] as const;
const sortOf = { queued: "Queued", recipient: "Recipient", attempts: "Attempts" } as const;

/** Filters of the delivery list, in the URL, in addition to the project. */
export const deliveryParameters = {
  status: parseAsStringLiteral(deliveryStatuses),
  /** Only the ones that need attention. */
  failing: parseAsBoolean.withDefault(false),
  recipient: parseAsInteger,
  /** A run of a subscription. */
  execution: parseAsInteger,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(orders).withDefault("queued"),
  direction: parseAsStringLiteral(["asc", "desc"]),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export type DeliveryFilters = inferParserType<typeof deliveryParameters>;

export const loadDeliveryFilters = createLoader(deliveryParameters);

const isId = (id: number) => id > 0 && id <= 2_147_483_647;

/** The list procedure's input; invalid values in the URL are ignored. */
export function deliveryInput(
  { status, failing, recipient, execution, q, sort, direction, page }: DeliveryFilters,
  project: number | null,
) {
  return {
    page: Math.max(page, 1) - 1,
    pageSize: deliveriesPerPage,
    ...inProject(project),
    ...(status && { status }),
    ...(failing && { failing }),
    ...(recipient !== null && isId(recipient) && { recipientId: recipient }),
    ...(execution !== null && isId(execution) && { executionId: execution }),
    ...(q.trim() !== "" && { search: q.trim().slice(0, 200) }),
    sortBy: sortOf[sort],
    ...(direction !== null && { sortDirection: direction === "asc" ? ("Asc" as const) : ("Desc" as const) }),
  };
}
