import type { ServerResponse } from "node:http";
import { tellOthers } from "../requests-elsewhere.ts";
import { beginRequest } from "../requests-first.ts";
import type { Door } from "./doors.ts";

/** Lets a request go before jobs until its response ends: before those of this process, and roughly before others'. */
export function goFirst(door: Door | null, response: ServerResponse): void {
  if (door?.isAutomatic) return;
  response.once("close", beginRequest());
  tellOthers();
}
