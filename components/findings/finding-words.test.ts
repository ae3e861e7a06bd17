import { expect, test } from "vitest";
import {
  reviewWords,
  rowsInDoubt,
  shareInDoubt,
  surenessPercent,
  surenessWord,
  withoutRepeats,
} from "./finding-words.ts";

test("how sure a finding is has a word for each range, from its lower bound", () => {
  const words = [1, 0.97, 0.969, 0.9, 0.899, 0.7, 0.699, 0.5, 0.49].map(surenessWord);
  expect(words).toEqual([
    ...["Almost certain", "Almost certain", "Very likely", "Very likely", "Likely", "Likely"],
    ...["Possible", "Possible", "Unlikely"],
  ]);
});

test("a percentage is never rounded up to what it is not", () => {
  expect([0.29, 0.8, 0.969, 0.9999, 1].map(surenessPercent)).toEqual([
    ...["29\u00a0%", "80\u00a0%", "96\u00a0%", "99\u00a0%", "99\u00a0%"],
  ]);
});

test("rows in doubt are counted, and where rows are missing that is said", () => {
  expect(rowsInDoubt({ failingRows: 3, totalRows: 8960 })).toBe("3 of 8,960");
  expect(rowsInDoubt({ failingRows: 0, totalRows: 8960 })).toBe("Rows are missing");
});

test("the share is never nothing where there are rows", () => {
  const share = (failingRows: number, totalRows: number) => shareInDoubt({ failingRows, totalRows });
  expect(share(3, 8960)).toBe("0.03\u00a0%");
  expect(share(1, 1_000_000)).toBe("<0.01\u00a0%");
  expect(share(30, 200)).toBe("15.0\u00a0%");
  expect([share(0, 10), share(0, 0)]).toEqual([null, null]);
});

test("a value that is in doubt in several groups of rows stands once, with all its rows", () => {
  const values = [
    { value: "Medium", rows: 1 },
    { value: "Small", rows: 2 },
    { value: "Medium", rows: 3 },
  ];
  expect(withoutRepeats(values)).toEqual([
    { value: "Medium", rows: 4 },
    { value: "Small", rows: 2 },
  ]);
});

test("what a language model changed is said with the confidence before it", () => {
  const review = { model: "m-1", isReworded: true, ownStatement: "2 rows.", ownConfidence: 0.726 };
  expect(reviewWords({ ...review, verdict: "Raised" })).toBe(
    "m-1 made it more likely from 72\u00a0% and reworded it",
  );
  expect(reviewWords({ ...review, verdict: "Kept" })).toBe("m-1 reworded it");
  expect(reviewWords({ ...review, verdict: "Proposed", ownConfidence: null })).toBe(
    "m-1 proposed it; the rows were counted",
  );
});
