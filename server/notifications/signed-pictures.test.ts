import { beforeAll, expect, test } from "vitest";
import { findDoor } from "../process/doors.ts";
import { aProject } from "../test/factories/data-sources.ts";
import { aContent, aNotification, aRecipient } from "../test/factories/notifications.ts";
import { notificationOfPicture, pictureAddress } from "./signed-pictures.ts";

const chart = { name: "Rows of the last 2 runs", values: [0, 3] };
const day = 24 * 3600 * 1000;
let withChart: number;
let without: number;

beforeAll(async () => {
  process.env.PUBLIC_URL = "https://plumbline.example.com";
  const { id: projectId } = await aProject();
  const recipientIds = [(await aRecipient({ projectId })).id];
  withChart = (await aNotification({ projectId, recipientIds, content: aContent({ chart }) })) ?? 0;
  without = (await aNotification({ projectId, recipientIds })) ?? 0;
});

const get = (address: string, method = "GET") =>
  findDoor(new URL(address).pathname)?.answer(new Request(address, { method }));

test("an address shows its chart to whoever has it", async () => {
  const answer = await get(pictureAddress(withChart) ?? "");
  expect([answer?.status, answer?.headers.get("content-type")]).toEqual([200, "image/png"]);
  const bytes = Buffer.from((await answer?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
});

test("it shows nothing else, and ends after seven days", async () => {
  const address = pictureAddress(withChart) ?? "";
  const other = address.replace(`/${withChart}.png`, `/${without}.png`);
  const later = address.replace(/until=\d+/, (given) => `until=${Number(given.slice(6)) + 1}`);
  for (const wrong of [
    other,
    later,
    address.replace(/signature=./, "signature="),
    pictureAddress(without) ?? "",
  ])
    expect((await get(wrong))?.status).toBe(404);
  expect((await get(address, "POST"))?.status).toBe(405);
  expect(notificationOfPicture(new URL(address), Date.now() + 7 * day - 60_000)).toBe(withChart);
  expect(notificationOfPicture(new URL(address), Date.now() + 7 * day + 1000)).toBeNull();
  expect((await get(pictureAddress(withChart, Date.now() - 8 * day) ?? ""))?.status).toBe(404);
});
