/**
 * What the texts of a column have in common, inferred from some of them. Pure: a shape is a guess; the database checks
 * whether every value has it.
 */
export type TextShape = {
  /** In words, to follow "looks like". */
  name: string;
  /** A regular expression that PostgreSQL, MySQL, and MariaDB all accept. */
  regex: string;
  /** The same for SQL Server's LIKE; null if LIKE cannot express it. */
  like: string | null;
  /** The same with runs of any length, in case other values are longer or shorter. */
  looser?: TextShape;
  /** It is a list of values. */
  isList?: true;
};

/** With fewer values, a common shape could be a coincidence. */
const min = { values: 3, different: 2, forList: 20, forPrefix: 10 };
const max = { listed: 8, listedLength: 40, length: 100, likeLength: 1000 };

const hex = (count: number) => "[0-9A-Fa-f]".repeat(count);

const wellKnown: readonly (TextShape & { test: RegExp })[] = [
  {
    name: "a UUID",
    test: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    regex: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
    like: [8, 4, 4, 4, 12].map(hex).join("-"),
  },
  {
    name: "an email address",
    test: /^[^@\s]+@[^@\s]+\.[^@\s.]+$/,
    regex: "^[^@[:space:]]+@[^@[:space:]]+[.][^@[:space:].]+$",
    like: "%_@_%._%",
  },
  {
    name: "an ISO date",
    test: /^\d{4}-\d{2}-\d{2}$/,
    regex: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    like: "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]",
  },
  {
    name: "an ISO date with a time",
    test: /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/,
    regex: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}",
    like: "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]%",
  },
  {
    name: "a web address",
    test: /^https?:\/\/[^\s]+$/,
    regex: "^https?://[^[:space:]]+$",
    like: null,
  },
];

/** null if they have nothing in common that is worth a rule. Empty texts are values, too. */
export function shapeOf(values: readonly string[]): TextShape | null {
  const different = new Set(values);
  if (values.length < min.values || different.size < min.different) return null;
  if (values.some((value) => value.length > max.length)) return knownShape(values);
  const [code, list] = [codeShape(values), listShape(values, different)];
  // Words that happen to have the same length are still words.
  const areWords = code !== null && /^\^\[(a-z|A-Za-z)\](\{\d+\})?\$$/.test(code.regex);
  return knownShape(values) ?? (areWords ? (list ?? code) : (code ?? list));
}

function knownShape(values: readonly string[]): TextShape | null {
  const found = wellKnown.find(({ test }) => values.every((value) => test.test(value)));
  return found ? { name: found.name, regex: found.regex, like: found.like } : null;
}

// --- codes: runs of letters and digits of the same kind, with the same characters between them

type CharacterClass = "[A-Z]" | "[a-z]" | "[0-9]" | "[A-Z0-9]" | "[a-z0-9]" | "[A-Za-z]" | "[A-Za-z0-9]";
type Run = { of: CharacterClass | null; text: string };

const joinedClasses: readonly CharacterClass[] = ["[A-Z0-9]", "[a-z0-9]", "[A-Za-z]", "[A-Za-z0-9]"];

function codeShape(values: readonly string[]): TextShape | null {
  for (const runsIn of [runsOf, ...joinedClasses.map(joinedRuns)]) {
    const all = values.map(runsIn);
    const [first] = all;
    if (!first || all.some((runs) => runs === null)) continue;
    const rows = all.filter((runs) => runs !== null);
    if (rows.every((runs) => hasSameRuns(runs, first))) return shapeOfRuns(rows, first.length);
  }
  return null;
}

/** null for anything but a code: other letters, white space, an empty text. */
function runsOf(value: string): Run[] | null {
  const runs: Run[] = [];
  for (const [part] of value.matchAll(/[A-Z]+|[a-z]+|[0-9]+|[^A-Za-z0-9]/gu)) {
    const of = /^[A-Z]/.test(part)
      ? "[A-Z]"
      : /^[a-z]/.test(part)
        ? "[a-z]"
        : /^[0-9]/.test(part)
          ? "[0-9]"
          : null;
    if (of === null && !/^[-_./:#+]$/.test(part)) return null;
    runs.push({ of, text: part });
  }
  return runs.length === 0 ? null : runs;
}

/** Mixed letters and digits are one run of this class, as in a hexadecimal number. */
function joinedRuns(joined: CharacterClass): (value: string) => Run[] | null {
  const whole = new RegExp(`^${joined}+$`);
  return (value) => {
    const parts = value.split(/([-_./:#+])/).filter((part) => part !== "");
    const runs = parts.map((text): Run | null => {
      if (/^[-_./:#+]$/.test(text)) return { of: null, text };
      return whole.test(text) ? { of: joined, text } : null;
    });
    const complete = runs.filter((run) => run !== null);
    return complete.length === 0 || complete.length < runs.length ? null : complete;
  };
}

function hasSameRuns(runs: readonly Run[], others: readonly Run[]): boolean {
  return (
    runs.length === others.length &&
    runs.every(
      ({ of, text }, index) => of === others[index]?.of && (of !== null || text === others[index]?.text),
    )
  );
}

function shapeOfRuns(rows: readonly Run[][], length: number): TextShape | null {
  const columns = Array.from({ length }, (_, index) => rows.flatMap((runs) => runs[index] ?? []));
  const shape = shapeOfParts(columns.map((runs) => partOf(runs, false)));
  const looser = shapeOfParts(columns.map((runs) => partOf(runs, true)));
  return shape && looser && looser.regex !== shape.regex ? { ...shape, looser } : shape;
}

function shapeOfParts(parts: readonly Part[]): TextShape | null {
  // Letters of any number say too little; a fixed length, a separator, or a digit is informative.
  const says = parts.some(({ isFixed, isLetters }) => isFixed || !isLetters);
  if (!says) return null;
  const like = parts.every(({ isFixed }) => isFixed) ? parts.map(({ like }) => like).join("") : null;
  return {
    name: parts.map(({ shown }) => shown).join(""),
    regex: `^${parts.map(({ regex }) => regex).join("")}$`,
    like: like !== null && like.length <= max.likeLength ? like : null,
  };
}

type Part = { regex: string; like: string; shown: string; isFixed: boolean; isLetters: boolean };

function partOf(runs: readonly Run[], isLoose: boolean): Part {
  const [{ of, text } = { of: null, text: "" }] = runs;
  if (of === null)
    return {
      regex: /[-_/:#]/.test(text) ? text : `[${text}]`,
      like: text === "_" ? "[_]" : text,
      shown: text,
      isFixed: true,
      isLetters: true,
    };
  const isLetters = !of.includes("0-9");
  const isAlways = runs.length >= min.forPrefix && isLetters && runs.every((run) => run.text === text);
  if (isAlways) return { regex: text, like: text, shown: text, isFixed: true, isLetters };
  const isFixed = !isLoose && runs.every((run) => run.text.length === text.length);
  const count = isFixed ? (text.length === 1 ? "" : `{${text.length}}`) : "+";
  return { regex: of + count, like: of.repeat(text.length), shown: of + count, isFixed, isLetters };
}

// --- a few recurring words

function listShape(values: readonly string[], different: ReadonlySet<string>): TextShape | null {
  const isShort = [...different].every((value) => value.length > 0 && value.length <= max.listedLength);
  const comeAgain = values.length >= Math.max(min.forList, different.size * 4);
  if (!isShort || !comeAgain || different.size > max.listed) return null;
  const listed = [...different].sort();
  if (listed.some((value) => /[^\p{L}\p{N} _./:#+-]/u.test(value))) return null;
  return {
    name: `one of ${listed.join(", ")}`,
    regex: `^(${listed.map((value) => value.replaceAll(/[.+]/g, "[$&]")).join("|")})$`,
    like: null,
    isList: true,
  };
}
