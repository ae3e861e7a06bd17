import { describe, expect, test } from "vitest";
import { type Priority, Slots } from "./slots.ts";

/** Work that reports when it has begun, and ends on demand. */
function work(slots: Slots, priority: Priority) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const state = { begun: false, end: async () => {} };
  const done = slots.use(priority, async () => {
    state.begun = true;
    await promise;
  });
  state.end = async () => {
    end();
    await done;
    await settled();
  };
  return state;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const begun = (...all: { begun: boolean }[]) => all.filter((each) => each.begun).length;

describe("the connections of a data source", () => {
  test("scheduled work gets two, and a person does not wait behind it", async () => {
    const slots = new Slots();
    const scheduled = Array.from({ length: 10 }, () => work(slots, "schedule"));
    await settled();
    expect(begun(...scheduled)).toBe(2);
    const person = work(slots, "person");
    await settled();
    expect(person.begun).toBe(true);
    await person.end();
    // A person's released slot is not for scheduled work.
    expect(begun(...scheduled)).toBe(2);
    await scheduled[0]?.end();
    expect(scheduled.map((each) => each.begun).slice(0, 4)).toEqual([true, true, true, false]);
  });

  test("a second person goes before scheduled work that has waited longer", async () => {
    const slots = new Slots();
    const scheduled = Array.from({ length: 4 }, () => work(slots, "schedule"));
    const people = [work(slots, "person"), work(slots, "person")];
    await settled();
    expect(people.map((each) => each.begun)).toEqual([true, false]);
    await scheduled[0]?.end();
    expect(people[1]?.begun).toBe(true);
    expect(begun(...scheduled)).toBe(2);
  });

  test("people leave one for scheduled work, and get all three if there is none", async () => {
    const slots = new Slots();
    const people = Array.from({ length: 5 }, () => work(slots, "person"));
    await settled();
    expect(begun(...people)).toBe(3);
    const scheduled = [work(slots, "schedule"), work(slots, "schedule")];
    await people[0]?.end();
    expect(begun(...people)).toBe(3);
    expect(begun(...scheduled)).toBe(1);
  });

  test("a spare one is only lent if nobody waits and another stays free", async () => {
    const slots = new Slots();
    const first = work(slots, "person");
    const { promise, resolve } = Promise.withResolvers<string>();
    const spare = slots.useSpare(() => promise);
    expect(spare).not.toBeNull();
    expect(slots.useSpare(async () => {})).toBeNull();
    const [person, scheduled] = [work(slots, "person"), work(slots, "schedule")];
    await settled();
    expect([person.begun, scheduled.begun]).toEqual([true, false]);
    resolve("done");
    expect(await spare).toBe("done");
    await settled();
    expect(scheduled.begun).toBe(true);
    await first.end();
    await person.end();
    await scheduled.end();
    expect(slots.areAtRest).toBe(true);
  });

  test("work that fails releases its slot", async () => {
    const slots = new Slots();
    const failing = () => slots.use("schedule", () => Promise.reject(new Error("no")));
    for (let i = 0; i < 5; i++) await expect(failing()).rejects.toThrow("no");
    expect(slots.areAtRest).toBe(true);
  });
});
