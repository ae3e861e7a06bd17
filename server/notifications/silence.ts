import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { byId, momentIn, momentOut, text } from "../db/schema-parts.ts";
import { invalidRequest, Problem } from "../errors.ts";

/** Silences: until a given time, nobody is notified about a subscription or a contract. It runs as before. */

export const silenceFields = {
  until: momentIn.nullish().meta({ description: "null or omitted ends the silence" }),
  reason: text(500).trim().nullish().meta({ description: "Why, for everyone who wonders" }),
};
export const silenceInput = byId.extend({
  ...silenceFields,
  unlessSilenced: z
    .boolean()
    .optional()
    .meta({ description: "true: 409 if it is silenced already, so that nobody's silence is replaced" }),
});
export type Silence = {
  until?: Date | null | undefined;
  reason?: string | null | undefined;
  unlessSilenced?: boolean | undefined;
};

/** Throws conflict if only something that is not silenced yet was to be silenced. */
export function rejectSilenced({ unlessSilenced }: Silence, silencedUntil: Date | null): void {
  if (unlessSilenced && silencedUntil !== null && silencedUntil.getTime() > Date.now())
    throw new Problem("conflict", "Someone has silenced it already");
}

export const silenceOut = {
  silencedUntil: momentOut.nullable(),
  silencedBy: userReference.nullable(),
  silenceReason: z.string().nullable(),
};

/** Throws invalid if the silence would already be over. */
export function rejectPast(until: Date | null, path = "until"): void {
  if (until === null || until.getTime() > Date.now()) return;
  throw invalidRequest([{ path, message: "must be in the future" }]);
}

/** The columns of a silence; of none if it has no end. */
export const silenceColumns = ({ until = null, reason = null }: Silence, byId: number) => ({
  silencedUntil: until,
  silencedById: until === null ? null : byId,
  silenceReason: until === null ? null : reason || null,
});
