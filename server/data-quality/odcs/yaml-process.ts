import { LineCounter, parseDocument } from "yaml";

/**
 * The process that reads one YAML text, and is killed when it takes too long: a text can be made so that its
 * reading takes minutes. It answers what JSON could say, with aliases written out, or why it does not.
 */
export type YamlAnswer = { value: unknown } | { errors: { path: string; message: string }[] };

const most = { aliases: 1000, values: 500_000, depth: 60, errors: 20 };

function read(text: string): YamlAnswer {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: "core",
    // Integers of any size arrive whole.
    intAsBigInt: true,
    uniqueKeys: true,
    prettyErrors: false,
    // Quieter, and a second document would be passed over in silence.
    logLevel: "error",
    lineCounter,
  });
  // A tag that is not known is a warning to the parser; here nothing may be what it does not seem.
  const problems = [...document.errors, ...document.warnings];
  // The parser reports what it runs into on the way down as any other mistake.
  if (problems.some(({ message }) => /call stack|stack overflow/i.test(message)))
    throw new Refused("is nested too deeply");
  if (problems.length > 0)
    return {
      errors: problems.slice(0, most.errors).map(({ message, pos: [at] }) => {
        const { line, col } = lineCounter.linePos(at);
        return { path: `line ${line}, column ${col}`, message };
      }),
    };
  return { value: plain(document.toJS({ maxAliasCount: most.aliases })) };
}

/** Too much of something; the message is for whoever sent it. */
class Refused extends Error {}

/** A copy without anything that JSON has not, every alias written out. Throws Refused. */
function plain(root: unknown): unknown {
  let values = 0;
  const copy = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > most.values) throw new Refused("holds too many values, aliases counted each time");
    if (depth > most.depth) throw new Refused("is nested too deeply");
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (value === undefined) return null;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1));
    if (Object.getPrototypeOf(value) !== Object.prototype)
      throw new Refused("holds a value that is no text, number, list or mapping");
    const copied = {};
    // Written this way, because a key "__proto__" assigned would be no property.
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
  // How the parser tells what is wrong with aliases.
  if (error instanceof ReferenceError)
    return error.message.startsWith("Excessive") ? "repeats its anchors too often" : error.message;
  return null;
}

process.once("message", (text) => process.send?.(answer(String(text))));
process.once("disconnect", () => process.exit());
