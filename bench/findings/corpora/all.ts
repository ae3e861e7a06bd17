import type { CorpusDatabase } from "../corpus.ts";
import { branches } from "./branches.ts";
import { charity } from "./charity.ts";
import { clinic } from "./clinic.ts";
import { factory } from "./factory.ts";
import { feeds } from "./feeds.ts";
import { hotel } from "./hotel.ts";
import { league } from "./league.ts";
import { ledger } from "./ledger.ts";
import { logistics } from "./logistics.ts";
import { meters } from "./meters.ts";
import { permits } from "./permits.ts";
import * as known from "./public.ts";
import { school } from "./school.ts";
import { shop } from "./shop.ts";
import { telemetry } from "./telemetry.ts";
import { tenants } from "./tenants.ts";

type Corpora = Readonly<Record<string, (seed: number) => CorpusDatabase>>;

/** Those of our own making differ by seed. */
export const ownMaking: Corpora = {
  shop,
  telemetry,
  school,
  logistics,
  ledger,
  feeds,
  branches,
  meters,
  tenants,
  factory,
  charity,
  permits,
  league,
};

/** The clean databases by name. */
export const corpora: Corpora = {
  ...ownMaking,
  aviation: known.aviation,
  weather: known.weather,
  movies: known.movies,
  statistics: known.statistics,
  geography: known.geography,
  markets: known.markets,
  world: known.world,
};

/** Of these, each seed makes another one. */
export const isMadeHere = (name: string): boolean =>
  name in ownMaking || name === "hotel" || name === "clinic";

/** Databases that no weight is fitted to, and that no detector is changed for: how well it does on what is new. */
export const unseen: Corpora = { hotel, civic: known.civic, clinic };
