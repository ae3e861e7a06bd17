import { keepCompiled } from "../keep-compiled.ts";
import { type Detection, detected } from "./detection.ts";

/** Detects in one database and ends: seconds of computing, while which the service answers people. */
process.once("message", (detection: Detection) => {
  for (const message of detected(detection)) process.send?.(message);
});
process.once("disconnect", () => process.exit());
keepCompiled();
