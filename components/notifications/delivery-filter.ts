import {
  createLoader,
  type inferParserType,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { directionInput, isId, pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";
import { deliveryStatuses } from "@/server/notifications/delivery-kinds.ts";
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
  ...pageParameter,
};

export type DeliveryFilters = inferParserType<typeof deliveryParameters>;

export const loadDeliveryFilters = createLoader(deliveryParameters);

/** The list procedure's input; invalid values in the URL are ignored. */
export function deliveryInput(
  { status, failing, recipient, execution, q, sort, direction, page }: DeliveryFilters,
  project: number | null,
) {
  return {
    ...pageInput(page, deliveriesPerPage),
    ...inProject(project),
    ...(status && { status }),
    ...(failing && { failing }),
    ...(isId(recipient) && { recipientId: recipient }),
    ...(isId(execution) && { executionId: execution }),
    ...searchInput(q),
    sortBy: sortOf[sort],
    ...directionInput(direction),
  };
}
