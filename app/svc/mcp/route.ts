import { handleMcp } from "@/server/mcp/door.ts";

export {
  handleMcp as DELETE,
  handleMcp as GET,
  handleMcp as OPTIONS,
  handleMcp as PATCH,
  handleMcp as POST,
  handleMcp as PUT,
};
