import { folders, wholeNumber } from "./values.ts";

/** What data sources of kind Files may read, and use for it. */
export const fileSettings = {
  FILES_ALLOW: folders
    .default([])
    .describe(
      "Folders, separated by commas, below which data sources of kind Files may read. None by default.",
    ),
  FILES_MEMORY_MB: wholeNumber(256, 1_000_000, 1024).describe(
    "The memory in MiB that each process that reads files may use. At most three work at a time.",
  ),
  FILES_CACHE_MB: wholeNumber(16, 100_000_000, 10_240).describe(
    "The disk space in MiB, in DATA_DIR, for objects of S3-compatible storage and files from HTTPS that data sources of kind Files read. What was not read for longest is removed first.",
  ),
};
