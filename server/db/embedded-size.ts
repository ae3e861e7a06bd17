const megabyte = 1024 * 1024;

/**
 * PostgreSQL's settings for a machine with so many bytes of memory, on which it is not alone: the service, and often a person's
 * other programs, need most of it. Its own defaults suit a machine with a quarter of a gigabyte.
 *
 * Memory that sorting may use is left as it is: connections are many, and a container often shares only 64 MB between
 * processes, which parallel queries with more would exceed.
 */
export function sizedFor(memoryBytes: number): string[] {
  const megabytes = (share: number, least: number, most: number) =>
    `${Math.round(Math.min(most, Math.max(least, (memoryBytes * share) / megabyte)))}MB`;
  return [
    `shared_buffers=${megabytes(1 / 16, 64, 2048)}`,
    // What the operating system keeps of files counts here: it is only a guess of the planner's.
    `effective_cache_size=${megabytes(1 / 2, 256, 65_536)}`,
    // For building indexes and vacuuming; the default is 64 MB.
    `maintenance_work_mem=${megabytes(1 / 64, 64, 512)}`,
  ];
}
