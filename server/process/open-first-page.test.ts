import { expect, test } from "vitest";
import { openFirstPage } from "./open-first-page.ts";

test("a page is opened once, with what it leads to, and nothing is left open", async () => {
  const opened: (string | undefined)[] = [];
  await openFirstPage((request, response) => {
    opened.push(request.url);
    if (request.url === "/home") response.writeHead(307, { location: "/sign-in?next=%2Fhome" });
    response.end("page");
  });
  expect(opened).toEqual(["/home", "/sign-in?next=%2Fhome"]);
});

test("a page that cannot be opened is nobody's failure", async () => {
  await openFirstPage((request) => request.destroy());
});
