import { handleRest } from "../rest/dispatch.ts";

/** A process of its own that renames a project for whoever has the cookie, for a test that kills it on the way. */
await handleRest(
  new Request(`http://localhost:3000/svc/api/projects/${process.env.TEST_PROJECT}`, {
    method: "PUT",
    headers: {
      cookie: process.env.TEST_COOKIE ?? "",
      host: "localhost:3000",
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "After" }),
  }),
);
process.exit(0);
