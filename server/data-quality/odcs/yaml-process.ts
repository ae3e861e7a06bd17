import { LineCounter, parseDocument } from "yaml";
import { keepCompiled } from "../../keep-compiled.ts";

/**
 * The process that parses one YAML text, and is killed if it takes too long: a text can be crafted to take minutes.
 * Returns what JSON can represent, with aliases expanded, or an error.
 */
export type YamlAnswer = { value: unknown } | { errors: { path: string; message: string }[] };

const max = { aliases: 1000, values: 500_000, depth: 60, errors: 20 };

function read(text: string): YamlAnswer {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: "core",
    // Keeps integers of any size exact.
    intAsBigInt: true,
    uniqueKeys: true,
    prettyErrors: false,
    // At lower log levels a second document would be ignored silently.
    logLevel: "error",
    lineCounter,
  });
  // The parser only warns about unknown tags; here, everything must be what it appears to be.
  const problems = [...document.errors, ...document.warnings];
  // The parser reports running out of stack on deep nesting like any other error.
  if (problems.some(({ message }) => /call stack|stack overflow/i.test(message)))
    throw new Refused("is nested too deeply");
  if (problems.length > 0)
    return {
      errors: problems.slice(0, max.errors).map(({ message, pos: [at] }) => {
        const { line, col } = lineCounter.linePos(at);
        return { path: `line ${line}, column ${col}`, message };
      }),
    };
  return { value: plain(document.toJS({ maxAliasCount: max.aliases })) };
}

/** A limit was exceeded; the message is for the importing user. */
class Refused extends Error {}

/** A copy that JSON can represent, with every alias expanded. Throws Refused. */
function plain(root: unknown): unknown {
  let values = 0;
  const copy = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > max.values) throw new Refused("contains too many values (every alias counts)");
    if (depth > max.depth) throw new Refused("is nested too deeply");
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (value === undefined) return null;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1));
    if (Object.getPrototypeOf(value) !== Object.prototype)
      throw new Refused("contains a value that is not text, a number, a list, or a mapping");
    const copied = {};
    // defineProperty, because assigning "__proto__" would not create a property.
    for (const [key, each] of Object.entries(value))
      Object.defineProperty(copied, key, {
        value: copy(each, depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return copied;
  };
  return copy(root, 0);
}

function answer(text: string): YamlAnswer {
  try {
    return read(text);
  } catch (error) {
    const message = reasonOf(error);
    if (message === null) throw error;
    return { errors: [{ path: "", message }] };
  }
}

function reasonOf(error: unknown): string | null {
  if (error instanceof Refused) return error.message;
  if (error instanceof RangeError) return "is nested too deeply";
  // The parser's messages about aliases.
  if (error instanceof ReferenceError)
    return error.message.startsWith("Excessive") ? "uses its anchors too often" : error.message;
  return null;
}

process.once("message", (text) => process.send?.(answer(String(text))));
process.once("disconnect", () => process.exit());
keepCompiled();
