import { DuckDBInstance } from "@duckdb/node-api";
import { duckdb } from "../../dialects/duckdb.ts";

const { literal, quote } = duckdb;

const withoutExtensions = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
};

export type Wall = {
  memoryMb: number;
  /** Where it may write what does not fit into memory. */
  spillFolder: string;
  /** All that it may read. */
  reach: { files: readonly string[] } | { folders: readonly string[] };
  /** Database files, opened before it is closed off, by the names they get. */
  attached?: ReadonlyMap<string, string>;
};

/** A database in memory that can read what it is allowed to and nothing else. Its settings are not locked yet. */
export async function openWalled({ memoryMb, spillFolder, reach, attached }: Wall): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:", {
    ...withoutExtensions,
    memory_limit: `${memoryMb}MiB`,
    threads: "2",
    temp_directory: spillFolder,
    max_temp_directory_size: "50GiB",
    custom_user_agent: `plumbline/${process.pid}`,
  });
  try {
    const connection = await instance.connect();
    await connection.run("set global TimeZone = 'UTC'");
    for (const [name, path] of attached ?? [])
      await connection.run(`attach ${literal(path)} as ${quote(name)} (read_only)`);
    await connection.run(
      "folders" in reach
        ? `set allowed_directories = [${reach.folders.map(literal).join(", ")}]`
        : `set allowed_paths = [${reach.files.map(literal).join(", ")}]`,
    );
    await connection.run("set enable_external_access = false");
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}
