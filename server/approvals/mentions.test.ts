import { expect, test } from "vitest";
import { mentionedIn } from "./mentions.ts";

const people = ["Anna", "Anna Analyst", "Jörg Müller", "Ben", "ben"].map((name, id) => ({ id, name }));
const ids = (text: string) => mentionedIn(text, people).map(({ id }) => id);

test.each([
  ["@Anna, please look", [0]],
  ["please, @anna analyst: is this right?", [1]],
  ["(@JÖRG MÜLLER)", [2]],
  ["@Ben and @Anna and @Ben again", [3, 4, 0]],
  ["anna@ben.example is no mention, nor is @Annabel or @ Anna or @Nobody", []],
  ["", []],
])("%s", (text, expected) => expect(ids(text)).toEqual(expected));
