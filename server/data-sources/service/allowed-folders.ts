import { env } from "../../env.ts";
import { Problem } from "../../errors.ts";
import type { GivenConnection } from "../connections/connection.ts";
import { allowedFolder, notAllowed } from "../engines/files/allowed-folder.ts";
import { isFolder } from "../kinds.ts";

/** Throws invalid for a folder that no operator has allowed, in the same words whether it exists or not. */
export async function rejectOtherFolder(connection: GivenConnection): Promise<void> {
  if (!isFolder(connection)) return;
  if ((await allowedFolder(connection.folder, env().FILES_ALLOW)) !== "refused") return;
  throw new Problem("invalid", `connection.folder ${notAllowed}`, {
    errors: [{ path: "connection.folder", message: notAllowed }],
  });
}
