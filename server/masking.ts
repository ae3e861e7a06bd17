/** A value as data sources return it. */
type Cell = string | number | boolean | null;

/**
 * Masks sensitive data in a sample before it is stored: columns whose name suggests personal data or secrets, columns
 * containing an email address, and individual values that are card numbers, account numbers, or keys. A mask keeps a
 * value's format, which often shows what is wrong with it, and none of its content.
 */

/** Whole words of a name: matches `card`, not `discard`. */
const personalWords = new Set([
  ...[
    "name",
    "names",
    "mail",
    "mails",
    "tel",
    "telephone",
    "mobile",
    "fax",
    "cc",
    "login",
    "addr",
    "street",
    "zip",
  ],
  ...["postcode", "postal", "ssn", "sin", "nin", "passport", "iban", "card", "cards", "pan", "dob", "ip"],
  ...["vorname", "nachname", "strasse", "telefon", "nombre", "apellido", "apellidos", "nom", "prenom"],
]);
const secretWords = new Set(["pin", "cvv", "cvc", "pwd", "otp", "salt", "jwt", "cookie"]);

/** Parts of a name written without separators, such as `emailaddress` or `dateofbirth`. */
const personalParts =
  /e?mailaddress|email|phone|address|adresse|direccion|birth|geburt|surname|name$|socialsecurity|nationalid|taxid|taxn(o|um)|creditcard|debitcard|cardn(o|um)|accountn(o|um)|telefono|correo/;
const secretParts = /^pass$|userpass|passw|passphrase|token|secret|apikey|privatekey|accesskey|credential/;

export type Sensitivity = "personal" | "secret";

/** The kind of sensitive data that a column's name suggests, or null. */
export function sensitivityOf(columnName: string): Sensitivity | null {
  const words = columnName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  const joined = words.join("");
  if (words.some((word) => secretWords.has(word)) || secretParts.test(joined)) return "secret";
  if (words.some((word) => personalWords.has(word)) || personalParts.test(joined)) return "personal";
  return null;
}

const emailAddress = /[^\s@<>,;"']{1,64}@[^\s@<>,;"']{1,253}\.\p{L}{2,}/u;
const longDigits = /(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)/g;
const account = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g;
const socialSecurityNumber = /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)/;
const key = /\beyJ[\w-]{10,}\.|\b(?:sk|pk|ghp|gho|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{16,}/;

/** Whether a text contains an email address. */
export const containsEmail = (text: string) => emailAddress.test(text);

/** Whether a text contains a card or account number, a social security number, or a key. */
export function containsNumberOrKey(text: string): boolean {
  return (
    (text.match(longDigits) ?? []).some(isCardNumber) ||
    (text.match(account) ?? []).some(isAccountNumber) ||
    socialSecurityNumber.test(text) ||
    key.test(text)
  );
}

/** By Luhn check and card network prefix. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (!/^[2-6]/.test(digits)) return false;
  let sum = 0;
  for (let place = 1; place <= digits.length; place += 1) {
    const digit = Number(digits[digits.length - place]);
    const counted = place % 2 === 0 ? digit * 2 : digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}

/** By IBAN check digits. */
function isAccountNumber(text: string): boolean {
  const compact = text.replaceAll(" ", "");
  const moved = compact.slice(4) + compact.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

const hidden = "••••••";

/** A value's format: letters become •, digits #, and common punctuation stays. */
function formOf(cell: string | number): string {
  const text = String(cell);
  if (text.length > 200) return hidden;
  return text.replace(/[^\s\-._@+/():]/gu, (character) => (/\p{N}/u.test(character) ? "#" : "•"));
}

/** NULL and empty text stay: a missing value is often the problem. */
function masked(cell: Cell, sensitivity: Sensitivity): Cell {
  if (cell === null || cell === "") return cell;
  return sensitivity === "secret" || typeof cell === "boolean" ? hidden : formOf(cell);
}

type Rows = { columns: readonly { name: string }[]; rows: readonly (readonly Cell[])[] };

/** The rows with sensitive data masked, and the names of the columns affected. */
export function maskRows({ columns, rows }: Rows): { rows: Cell[][]; maskedColumns: string[] } {
  const sensitivities = columns.map(({ name }, index) => {
    const named = sensitivityOf(name);
    return named ?? (rows.some((row) => containsEmail(String(row[index] ?? ""))) ? "personal" : null);
  });
  const touched = new Set<number>();
  const result = rows.map((row) =>
    row.map((cell, index) => {
      const sensitivity =
        sensitivities[index] ?? (cell !== null && containsNumberOrKey(String(cell)) ? "personal" : null);
      if (!sensitivity) return cell;
      touched.add(index);
      return masked(cell, sensitivity);
    }),
  );
  const names = columns.flatMap(({ name }, index) =>
    sensitivities[index] || touched.has(index) ? name : [],
  );
  return { rows: result, maskedColumns: [...new Set(names)] };
}
