/**
 * Loaded into the service before anything else. Offsets its clock by the milliseconds in the file named by
 * FAULTS_CLOCK, which SIGUSR2 makes it reread. Only the current time changes; timers go on, as when a clock is set.
 */
import { readFileSync } from "node:fs";

const Real = globalThis.Date;
let off = 0;

function read() {
  off = Number(readFileSync(process.env.FAULTS_CLOCK ?? "", "utf8"));
}

const now = () => Real.now() + off;
const Shifted = new Proxy(Real, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [now()], made),
  apply: () => new Real(now()).toString(),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});
Real.prototype.constructor = Shifted;
globalThis.Date = Shifted;

if (process.env.FAULTS_CLOCK) {
  read();
  process.on("SIGUSR2", read);
}
