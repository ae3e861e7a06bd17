import { Random } from "../../../faults/random.ts";
import type { CorpusDatabase } from "../corpus.ts";
import { evsesOf, evseTable, sitesOf, siteTable } from "./charging-network.ts";
import { now, organizationsOf, organizationTable } from "./charging-organizations.ts";
import { chargesOf, chargeTable, eventTable, flagTable, stagedTable } from "./charging-records.ts";
import { sessionsOf, sessionTable, tokensOf, tokenTable } from "./charging-sessions.ts";
import { tariffTable } from "./charging-tariffs.ts";

/**
 * A network of car chargers in six countries: JSON in columns, amounts in hundredths of four currencies, prices by version,
 * chargers that were replaced, identifiers of two standards, buses that give energy back, sessions that never began,
 * credits, flags for whatever has an ID, and a hub's file that is all text.
 */
export function charging(seed: number): CorpusDatabase {
  const random = new Random(seed * 211 + 173);
  const organizations = organizationsOf(random);
  const sites = sitesOf(random, organizations);
  const evses = evsesOf(random, sites);
  const tokens = tokensOf(random, organizations);
  const sessions = sessionsOf(random, evses, tokens);
  const charges = chargesOf(random, sessions);
  return {
    name: "charging",
    now,
    tables: [
      organizationTable(random, organizations),
      siteTable(random, sites),
      evseTable(random, evses),
      tariffTable(random),
      tokenTable(random, tokens, sessions),
      sessionTable(random, sessions),
      chargeTable(random, charges),
      eventTable(random, evses),
      flagTable(random, organizations, sites, evses),
      stagedTable(random, charges),
    ],
  };
}
