import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copiedAsUtf8, encodingOf } from "./text-encoding.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-encoding-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
/** As bytes of one character each: \x80 is € in Windows-1252, and a control character in Latin-1. */
const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["utf-8", Buffer.from("id\nZoë – 5 €\n")],
  ["utf-8", bytes("id\nplain\n")],
  ["utf-16", Buffer.from("\ufeffid\nZoë\n", "utf16le")],
  ["latin-1", bytes("id\nZo\xeb\n")],
  ["windows-1252", bytes("id\nZo\xeb \x96 5 \x80\n")],
  // The sign comes after the first megabyte.
  ["windows-1252", bytes(`id\nZo\xeb\n${"a\n".repeat(700_000)}5 \x80\n`)],
] as const)("%s is told from the others", (encoding, content) => {
  expect(encodingOf(file("told.csv", content))).toBe(encoding);
});

test("a copy is in UTF-8, and made again when the file has changed", () => {
  const copies = join(folder, "copies");
  const path = file("changing.csv", bytes("Zo\xeb \x96 5 \x80"));
  const first = copiedAsUtf8(path, copies);
  expect(readFileSync(first, "utf8")).toBe("Zoë – 5 €");
  expect(copiedAsUtf8(path, copies)).toBe(first);
  writeFileSync(path, bytes("Zo\xeb \x96 7 \x80"));
  utimesSync(path, 1, 1);
  expect(readFileSync(copiedAsUtf8(path, copies), "utf8")).toBe("Zoë – 7 €");
  expect(readdirSync(copies)).toHaveLength(2);
});

test("a file of more than 1 GB is refused with what to do, and nothing is copied", () => {
  const copies = join(folder, "none");
  const path = file("large.csv", bytes("id\nZo\xeb \x96 5 \x80\n"));
  // A file with a hole takes no space.
  truncateSync(path, 1024 ** 3 + 1);
  expect(encodingOf(path)).toBe("windows-1252");
  expect(() => copiedAsUtf8(path, copies)).toThrow(
    "Its characters are written in Windows-1252, which is read from files of up to 1 GB: convert it to UTF-8",
  );
  expect(() => readdirSync(copies)).toThrow("ENOENT");
});
