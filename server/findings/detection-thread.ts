import { parentPort, workerData } from "node:worker_threads";
import { type Detection, detected } from "./detection.ts";

/** Detects in one database and ends: seconds of computing, while which the service answers people. */
for (const message of detected(workerData as Detection)) parentPort?.postMessage(message);
