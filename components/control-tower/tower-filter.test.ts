import { expect, test } from "vitest";
import {
  healthInput,
  healthSorts,
  offeredTimeRanges,
  statisticsInput,
} from "@/server/control-tower/schema.ts";
import { isFiltered, loadTower, sorts, towerInputs, windows } from "./tower-filter.ts";

const of = (address: string) => loadTower(new URLSearchParams(address));
const inputs = (address: string) => towerInputs({}, of(address));

test("without filters, the URL means thirty days, sorted by status", () => {
  expect(inputs("")).toEqual({
    whole: { timeRangeDays: 30 },
    statistics: { timeRangeDays: 30 },
    health: { timeRangeDays: 30, page: 0, pageSize: 50, sortBy: "Status" },
  });
});

test("cards and rows use the same filters", () => {
  const { whole, statistics, health } = inputs(
    "days=7&folder=3&source=4&status=Red&tasks=true&q=%25&sort=success&direction=desc&page=2",
  );
  expect(statistics).toEqual({
    ...whole,
    healthStatus: "Red",
    hasUnresolvedTasks: true,
  });
  expect(whole).toEqual({ timeRangeDays: 7, folderId: 3, dataSourceId: 4, searchKeyword: "%" });
  expect(health).toEqual({
    ...statistics,
    ...{ page: 1, pageSize: 50, sortBy: "SuccessRate", sortDirection: "Desc" },
  });
});

test.each([
  "days=0&folder=-1&source=99999999999&status=Blue&page=-5",
  "days=365&sort=price&direction=up&page=1e30&tasks=perhaps",
  `q=${"x".repeat(300)}&page=1000000000000`,
])("whatever an address says, the service can be asked: %s", (address) => {
  const { statistics, health } = inputs(address);
  expect(statisticsInput.safeParse(statistics).error).toBeUndefined();
  expect(healthInput.safeParse(health).error).toBeUndefined();
});

test("offers the server's time ranges and orders; WorstFirst, which is not a column, is only for REST", () => {
  expect(windows).toEqual(offeredTimeRanges);
  expect(
    Object.values(sorts)
      .map(({ by }) => by)
      .sort(),
  ).toEqual(healthSorts.filter((sort) => sort !== "WorstFirst").sort());
});

test("neither the time range nor the order counts as a filter", () => {
  expect(isFiltered(of("days=1&sort=name&page=3"))).toBe(false);
  for (const address of ["folder=1", "source=1", "status=Green", "tasks=true", "q=a"])
    expect(isFiltered(of(address)), address).toBe(true);
});
