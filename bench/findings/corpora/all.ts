import type { CorpusDatabase } from "../corpus.ts";
import { adega } from "./adega.ts";
import { auctions } from "./auctions.ts";
import { boxoffice } from "./boxoffice.ts";
import { branches } from "./branches.ts";
import { brewery } from "./brewery.ts";
import { calls } from "./calls.ts";
import { campus } from "./campus.ts";
import { charging } from "./charging.ts";
import { charity } from "./charity.ts";
import { clinic } from "./clinic.ts";
import { collecte } from "./collecte.ts";
import { crm } from "./crm.ts";
import { customs } from "./customs.ts";
import { delivery } from "./delivery.ts";
import { devices } from "./devices.ts";
import { erp } from "./erp.ts";
import { factory } from "./factory.ts";
import { farm } from "./farm.ts";
import { feeds } from "./feeds.ts";
import { fleet } from "./fleet.ts";
import { hausverwaltung } from "./hausverwaltung.ts";
import { helpdesk } from "./helpdesk.ts";
import { hotel } from "./hotel.ts";
import { insurance } from "./insurance.ts";
import { laboratory } from "./laboratory.ts";
import { league } from "./league.ts";
import { ledger } from "./ledger.ts";
import { library } from "./library.ts";
import { loans } from "./loans.ts";
import { logistics } from "./logistics.ts";
import { mart } from "./mart.ts";
import { meters } from "./meters.ts";
import { museum } from "./museum.ts";
import { newsroom } from "./newsroom.ts";
import { observatory } from "./observatory.ts";
import { outfitter } from "./outfitter.ts";
import { payroll } from "./payroll.ts";
import { permits } from "./permits.ts";
import { ports } from "./ports.ts";
import * as known from "./public.ts";
import * as lists from "./public-lists.ts";
import { registry } from "./registry.ts";
import { school } from "./school.ts";
import { seedbank } from "./seedbank.ts";
import { shop } from "./shop.ts";
import { streaming } from "./streaming.ts";
import { subscriptions } from "./subscriptions.ts";
import { survey } from "./survey.ts";
import { telemetry } from "./telemetry.ts";
import { tenants } from "./tenants.ts";
import { transit } from "./transit.ts";
import { trials } from "./trials.ts";
import { trips } from "./trips.ts";
import { vault } from "./vault.ts";
import { veterinaria } from "./veterinaria.ts";

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
  library,
  helpdesk,
  insurance,
  laboratory,
  trips,
  payroll,
  streaming,
  survey,
  farm,
  auctions,
  transit,
  mart,
  hotel,
  clinic,
  calls,
  crm,
  customs,
  devices,
  museum,
  ports,
  trials,
  vault,
  subscriptions,
  erp,
  delivery,
  campus,
  brewery,
  newsroom,
  fleet,
  registry,
  seedbank,
  loans,
  boxoffice,
  collecte,
  outfitter,
  veterinaria,
  hausverwaltung,
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
  studies: lists.studies,
  foods: lists.foods,
  airlines: lists.airlines,
  airfields: lists.airfields,
  banks: lists.banks,
  stars: lists.stars,
  almanac: lists.almanac,
  civic: known.civic,
};

/** Databases that no weight is fitted to, and that no detector is changed for: how well it does on what is new. */
export const unseen: Corpora = { observatory, adega, charging };

/** Of these, each seed makes another one. */
export const isMadeHere = (name: string): boolean => name in ownMaking || name in unseen;
