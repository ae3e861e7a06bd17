/** What deliveries can be. Pages load this file without Zod. */

export const deliveryStatuses = ["Queued", "Sent", "Failed"] as const;

/** A failed delivery needs attention for as long as its attachment is kept. */
export const failingDays = 7;
