import { handleRest } from "../doors/rest/dispatch.ts";

/** A separate process that renames a project with a user's cookie, for a test that kills it midway. */
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
