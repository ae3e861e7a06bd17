export const jobStatuses = ["Waiting", "Running", "Completed", "Failed", "Cancelled"] as const;
