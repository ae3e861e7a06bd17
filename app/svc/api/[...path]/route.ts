import { handleRest } from "@/server/rest/dispatch.ts";

export {
  handleRest as DELETE,
  handleRest as GET,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as POST,
  handleRest as PUT,
};
