import { expect, test } from "vitest";
import { sizedFor } from "./embedded-size.ts";

const gigabyte = 1024 ** 3;

test("PostgreSQL gets a sixteenth of the memory for its buffers, and expects half of it to hold files", () => {
  expect(sizedFor(16 * gigabyte)).toEqual([
    "shared_buffers=1024MB",
    "effective_cache_size=8192MB",
    "maintenance_work_mem=256MB",
  ]);
});

test("neither a small container nor a large server gets a size that does not suit it", () => {
  expect(sizedFor(gigabyte / 2)).toEqual([
    "shared_buffers=64MB",
    "effective_cache_size=256MB",
    "maintenance_work_mem=64MB",
  ]);
  expect(sizedFor(512 * gigabyte)).toEqual([
    "shared_buffers=2048MB",
    "effective_cache_size=65536MB",
    "maintenance_work_mem=512MB",
  ]);
});
