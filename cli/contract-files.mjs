import { call, ServiceError } from "./client.mjs";
import { changesOf, changesText } from "./contract-changes.mjs";
import { read } from "./files.mjs";
import { plain } from "./report.mjs";

/**
 * @typedef {import("./arguments.mjs").Command} Command
 * @typedef {import("./contract-changes.mjs").Change} Change
 * @typedef {{ url: string, key: string, deadline: number }} Service
 */

/**
 * Shows what a file would change. Returns false if it would change anything.
 * @param {Service} service
 * @param {Command} command
 */
export async function diffFile(service, command) {
  const changes = await changesFor(service, command);
  show(changes, command.json);
  return changes.every(({ kind }) => kind === "same");
}

/**
 * Makes the contracts of a data source as the file says. Applied again, it changes nothing.
 * @param {Service} service
 * @param {Command} command
 */
export async function applyFile(service, command) {
  const changes = await changesFor(service, command);
  for (const { kind, id, body, revision } of changes) {
    if (kind === "create") await call(service, "POST", "/data-quality/contracts", { json: body });
    // Whoever edited it meanwhile is not overwritten.
    if (kind === "update")
      await call(service, "PUT", `/data-quality/contracts/${id}`, {
        json: { ...body, baseRevision: revision },
      });
  }
  show(changes, command.json);
}

/**
 * @param {Service} service
 * @param {Command} command
 */
async function changesFor(service, { target, dataSourceId }) {
  const preview = `/data-quality/contracts/import/preview?dataSourceId=${dataSourceId}`;
  const { contracts, unmapped } =
    /** @type {{ contracts: any[], unmapped: { path: string, reason: string }[] }} */ (
      await call(service, "POST", preview, { yaml: read(target) })
    );
  for (const { path, reason } of unmapped)
    process.stderr.write(`not used: ${plain(path)}: ${plain(reason)}\n`);
  if (contracts.length === 0)
    throw new ServiceError(`${target} has no table with rules that can be measured`);
  const { items } = /** @type {{ items: any[] }} */ (
    await call(service, "GET", `/data-quality/contracts?dataSourceId=${dataSourceId}`)
  );
  return changesOf(contracts, items);
}

/**
 * @param {Change[]} changes
 * @param {boolean} json
 */
function show(changes, json) {
  const told = changes.map(({ body: _, revision: __, ...change }) => change);
  process.stdout.write(
    json
      ? `${JSON.stringify({ contracts: told }, null, 2)}\n`
      : changesText(changes).split("\n").map(plain).join("\n"),
  );
}
