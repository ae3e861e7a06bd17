import { expect, test } from "vitest";
import { readYaml } from "./read-yaml.ts";

const errorsOf = (text: string) =>
  readYaml(text).then(
    () => [],
    (error) =>
      error.more.errors.map(({ path, message }: { path: string; message: string }) => [path, message]),
  );

test("values are parsed as written", async () => {
  const text = `a: 1\nb: [x, "2", 1.5, true, null]\nc: {no: yes, on: off}\nbig: 12345678901234567890\ndate: 2026-01-01`;
  expect(await readYaml(text)).toEqual({
    a: 1,
    b: ["x", "2", 1.5, true, null],
    c: { no: "yes", on: "off" },
    big: "12345678901234567890",
    date: "2026-01-01",
  });
});

test("anchors are expanded", async () => {
  expect(await readYaml("a: &x {n: 1}\nb: [*x, *x]")).toEqual({ a: { n: 1 }, b: [{ n: 1 }, { n: 1 }] });
});

test("a key that could be a prototype is an ordinary key", async () => {
  const value = (await readYaml("__proto__: {polluted: true}")) as object;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect((value as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
  ["a tab for an indent", "a:\n\t- b: 'x"],
  ["a bracket that is not closed", "a: [1, 2"],
  ["two documents", "a: 1\n---\nb: 2"],
  ["a key that comes twice", "a: 1\na: 2"],
  ["a tag of a language", "a: !!python/object/apply:os.system ['ls']"],
  ["a tag of its own", "a: !include other.yaml"],
])("%s is refused with its line", async (_, text) => {
  const [first] = await errorsOf(text);
  expect(first?.[0]).toMatch(/^line \d+, column \d+$/);
});

test("an alias without an anchor is rejected", async () => {
  expect((await errorsOf("a: *b"))[0]?.[1]).toContain("b");
});

test("exploding anchors are rejected", async () => {
  const names = "abcdefghij".split("");
  const lines = names.map((name, index) => {
    const previous = names[index - 1];
    return `${name}: &${name} [${Array(10)
      .fill(previous ? `*${previous}` : "lol")
      .join(", ")}]`;
  });
  expect(await errorsOf(lines.join("\n"))).toEqual([["", "uses its anchors too often"]]);
});

test("one large anchor that is used often is rejected", async () => {
  const text = `a: &a [${"1,".repeat(5000)}1]\nb: [${Array(500).fill("*a").join(", ")}]`;
  expect(await errorsOf(text)).toEqual([["", "contains too many values (every alias counts)"]]);
});

test("deep nesting is rejected quickly, whatever its depth", async () => {
  expect(await errorsOf(`${"[".repeat(1000)}${"]".repeat(1000)}`)).toEqual([["", "is nested too deeply"]]);
  expect((await errorsOf("[".repeat(20_000))).length).toBeGreaterThan(0);
});

test("a text that takes minutes is aborted, and the service keeps running meanwhile", {
  timeout: 180_000,
}, async () => {
  let turns = 0;
  const clock = setInterval(() => turns++, 100);
  const errors = await errorsOf("[".repeat(4_000_000));
  clearInterval(clock);
  expect(errors).toHaveLength(1);
  expect(turns).toBeGreaterThan(5);
});
