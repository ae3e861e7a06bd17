import { handleRest } from "@/server/rest/dispatch.ts";
import { handleUserAuth } from "@/server/rest/hub.ts";

export {
  handleRest as DELETE,
  handleRest as GET,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as PUT,
  handleUserAuth as POST,
};
