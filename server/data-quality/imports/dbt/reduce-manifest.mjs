/**
 * Reads dbt's files of any size in bounded memory, and keeps only what an import needs: of a manifest with hundreds of
 * megabytes, mostly macros and documentation, that is a few. For browsers and for the command line, without
 * dependencies.
 *
 * @typedef {AsyncIterable<Uint8Array>} Chunks
 */

/** Nothing in dbt's files is nested this deep. */
const maxDepth = 200;
/** The maximum size of one node, which is parsed as a whole. */
const maxNodeBytes = 32 * 1024 * 1024;

/** The properties of a node that are read. */
const kept = new Set(
  `resource_type name package_name database schema alias identifier source_name description original_file_path tags meta
  group version columns config test_metadata attached_node column_name depends_on loaded_at_field freshness`.split(
    /\s+/,
  ),
);
const keptOfConfig = new Set(
  "enabled materialized severity where error_if warn_if fail_calc tags meta".split(" "),
);
/** Only tests need their SQL. */
const ofTests = new Set(["compiled_code", "compiled_sql", "raw_code", "raw_sql"]);
/** The macros of tests, which are all that is kept of them. */
const ofTest = /(^|__)test_/;
const resourceTypes = new Set(["model", "seed", "snapshot", "source", "test"]);

/**
 * The part of a manifest that is imported.
 * @param {Chunks} chunks
 * @returns {Promise<Record<string, unknown>>}
 */
export async function reduceManifest(chunks) {
  /** @type {Record<string, Record<string, unknown>>} */
  const found = {};
  await scan(
    chunks,
    { whole: ["metadata"], entries: ["nodes", "sources", "macros"] },
    (section, key, value) => {
      if (section === "metadata") {
        const { dbt_schema_version, dbt_version, project_name } = asObject(value);
        found.metadata = { dbt_schema_version, dbt_version, project_name };
        return;
      }
      if (section === "macros") {
        const { name, package_name, macro_sql } = asObject(value);
        if (key === null || !ofTest.test(String(name)) || package_name === "dbt") return;
        found.macros ??= Object.create(null);
        found.macros[key] = { name, package_name, macro_sql };
        return;
      }
      found[section] ??= Object.create(null);
      const node = asObject(value);
      if (key !== null && resourceTypes.has(String(node.resource_type)))
        found[section][key] = reducedNode(node);
    },
  );
  // A project without tests has no nodes, and is a project all the same.
  return found.metadata ? { nodes: {}, sources: {}, ...found } : { ...found };
}

/**
 * The statuses in dbt's run_results.json.
 * @param {Chunks} chunks
 */
export async function reduceRunResults(chunks) {
  /** @type {unknown[] | undefined} */
  let results;
  await scan(chunks, { whole: [], entries: ["results"] }, (_, __, value) => {
    const { unique_id, status, failures } = asObject(value);
    results ??= [];
    results.push({ unique_id, status, failures });
  });
  return { results };
}

/**
 * The columns in dbt's catalog.json.
 * @param {Chunks} chunks
 */
export async function reduceCatalog(chunks) {
  /** @type {Record<string, Record<string, unknown>>} */
  const found = {};
  await scan(chunks, { whole: [], entries: ["nodes", "sources"] }, (section, key, value) => {
    found[section] ??= Object.create(null);
    const columns = Object.entries(asObject(asObject(value).columns)).map(([name, column]) => [
      name,
      { name: asObject(column).name, comment: asObject(column).comment },
    ]);
    if (key !== null) found[section][key] = { columns: Object.fromEntries(columns) };
  });
  return { ...found };
}

/** @param {Record<string, unknown>} node */
function reducedNode(node) {
  const isTest = node.resource_type === "test";
  const entries = Object.entries(node).filter(([key]) => kept.has(key) || (isTest && ofTests.has(key)));
  const own = Object.fromEntries(entries);
  // What dbt compiled makes the template unnecessary.
  if (own.compiled_code || own.compiled_sql || own.test_metadata) {
    delete own.raw_code;
    delete own.raw_sql;
  }
  const config = Object.entries(asObject(node.config)).filter(([key]) => keptOfConfig.has(key));
  const columns = Object.entries(asObject(node.columns)).map(([name, column]) => [
    name,
    reducedColumn(asObject(column)),
  ]);
  const { owner } = asObject(node.meta);
  return {
    ...own,
    config: Object.fromEntries(config),
    columns: Object.fromEntries(columns),
    ...(node.meta !== undefined && { meta: { owner } }),
  };
}

/** @param {Record<string, unknown>} column */
function reducedColumn({ name, description, tags, config }) {
  const configured = asObject(config).tags;
  return { name, description, tags, ...(configured !== undefined && { config: { tags: configured } }) };
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
const asObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? /** @type {Record<string, unknown>} */ (value)
    : {};

const [quote, backslash, open, close, openList, closeList, comma, colon] = [...'"\\{}[],:'].map((each) =>
  each.charCodeAt(0),
);
const isSpace = (/** @type {number | undefined} */ byte) =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;

/**
 * Walks through a JSON object byte by byte and parses only the values that are asked for: top-level properties as a
 * whole, or each entry of one. Throws for what is not a JSON object.
 *
 * @param {Chunks} chunks
 * @param {{ whole: string[], entries: string[] }} wanted
 * @param {(section: string, key: string | null, value: unknown) => void} take
 */
async function scan(chunks, wanted, take) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let section = "";
  /** @type {string | null} */
  let key = null;
  let isKeyNext = false;
  let hasBegun = false;
  let isOver = false;
  /** The bytes of the key or value that is being read, and the depth around it. @type {Uint8Array[] | null} */
  let parts = null;
  let size = 0;
  let around = 0;
  let isOfKey = false;

  const parsed = () => {
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts ?? []) {
      bytes.set(part, at);
      at += part.length;
    }
    parts = null;
    size = 0;
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      throw new Error("The file is not valid JSON in UTF-8");
    }
  };
  const finishValue = () => {
    const isBlank = parts?.every((part) => part.every(isSpace)) ?? true;
    if (isBlank) {
      parts = null;
      size = 0;
    } else take(section, depth === 1 ? null : key, parsed());
  };
  const isWanted = () =>
    (depth === 1 && wanted.whole.includes(section)) || (depth === 2 && wanted.entries.includes(section));

  for await (const chunk of chunks) {
    /** Where the part of this chunk begins that belongs to what is read. */
    let from = 0;
    const keep = (/** @type {number} */ until) => {
      if (parts === null || until <= from) return;
      parts.push(chunk.slice(from, until));
      size += until - from;
      if (size > maxNodeBytes) throw new Error("The file has an entry of more than 32 MB");
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) {
          inText = false;
          if (isOfKey) {
            keep(at + 1);
            const name = String(parsed());
            isOfKey = false;
            isKeyNext = false;
            if (depth === 1) section = name;
            key = depth === 1 ? null : name;
          }
        }
        continue;
      }
      if (isSpace(byte)) continue;
      if (isOver || (!hasBegun && byte !== open)) {
        // A byte order mark is allowed.
        if (!isOver && !hasBegun && (byte === 0xef || byte === 0xbb || byte === 0xbf)) continue;
        throw new Error("The file is not a JSON object");
      }
      switch (byte) {
        case quote:
          inText = true;
          if (isKeyNext && parts === null) {
            isOfKey = true;
            parts = [];
            from = at;
          }
          break;
        case colon:
          if (parts === null && isWanted()) {
            parts = [];
            from = at + 1;
            around = depth;
          }
          break;
        case open:
        case openList:
          hasBegun = true;
          depth += 1;
          if (depth > maxDepth) throw new Error(`The file is nested deeper than ${maxDepth} levels`);
          isKeyNext = byte === open && depth <= 2 && parts === null;
          // The elements of a list have no keys.
          if (byte === openList && depth === 2 && parts === null && isWanted()) {
            parts = [];
            from = at + 1;
            around = depth;
          }
          break;
        case comma:
          if (parts !== null && depth === around) {
            keep(at);
            finishValue();
          }
          if (parts === null) {
            isKeyNext = depth === 1 || (depth === 2 && wanted.entries.includes(section) && key !== null);
            if (depth === 2 && key === null && isWanted()) {
              parts = [];
              from = at + 1;
              around = depth;
            }
          }
          break;
        case close:
        case closeList:
          if (parts !== null && depth === around) {
            keep(at);
            finishValue();
          }
          depth -= 1;
          if (depth === 1) key = null;
          if (depth === 0) isOver = true;
          break;
      }
    }
    keep(chunk.length);
  }
  if (!isOver || depth !== 0 || inText) throw new Error("The file is not a whole JSON object");
}
