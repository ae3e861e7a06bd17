import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { isHoliday, isWeekend, season, weekdayOf } from "./calendar.ts";
import { type Truck, toursOf, tourTable, trucksOf, truckTable, weighingTable } from "./collecte-tournees.ts";
import {
  type Bin,
  binsOf,
  binTable,
  communeTable,
  nextWorkday,
  now,
  today,
  type User,
  usersOf,
  userTable,
} from "./collecte-usagers.ts";

/** Reads of tags are kept for some weeks, as the law says. */
const readsFrom = Date.parse("2025-09-22");

/**
 * A French syndicate that empties bins, by its own words: users that move, second homes where nobody is counted, bins
 * in the yard, rounds that are made up for after holidays, tickets of the scales that were annulled, empty bins that
 * weigh nothing, and bills that are credited.
 */
export function collecte(seed: number): CorpusDatabase {
  const random = new Random(seed * 179 + 139);
  const users = usersOf(random);
  const bins = binsOf(random, users);
  const trucks = trucksOf(random);
  const tours = toursOf(random, trucks);
  return {
    name: "collecte",
    now,
    tables: [
      communeTable(),
      userTable(random, users),
      binTable(bins),
      truckTable(trucks),
      tourTable(tours),
      weighingTable(random, tours, trucks),
      readTable(random, bins, trucks),
      billTable(random, users, bins),
      complaintTable(random, users),
    ],
  };
}

/** Each bin has its day; many are only put out every other time. */
function readTable(random: Random, bins: readonly Bin[], trucks: readonly Truck[]): CorpusTable {
  type Read = { bin: Bin; at: number; truck: Truck; kilos: number | null; state: string };
  const reads: Read[] = [];
  const able = bins.filter(
    ({ user, to, from }) => user !== null && from < today && (to === null || to > readsFrom),
  );
  for (const bin of able) {
    const isSmall = bin.user?.kind === "particulier";
    const weekday = ((bin.user?.commune.insee.charCodeAt(4) ?? 0) % 4) + (bin.flow === "TRI" ? 2 : 1);
    const habit = bin.user?.isSecondHome ? 0.04 : isSmall ? 0.25 + random.next() * 0.5 : 0.9;
    for (let day = readsFrom; day < today; day += dayMs) {
      if (weekdayOf(day) !== weekday || day < bin.from || (bin.to !== null && day >= bin.to)) continue;
      // Recycling goes every other week.
      if (bin.flow === "TRI" && Math.floor(day / dayMs / 7) % 2 === 0) continue;
      if (!random.chance(habit)) continue;
      const isHeld = isHoliday(day) || dateText(day).endsWith("11-11");
      const truck = mostlyFirst(
        random,
        trucks.filter((each) => each.flow === bin.flow && each.until === null),
        1.2,
      );
      const full = bin.liters * { OM: 0.13, TRI: 0.045, BIO: 0.3 }[bin.flow];
      const isRefused = bin.flow === "TRI" && random.chance(0.012);
      const isEmpty = random.chance(0.01);
      reads.push({
        bin,
        // What falls on a holiday is done on Saturday.
        at: day + (isHeld ? 6 - weekday : 0) * dayMs + random.between(4 * 3600, 11 * 3600) * 1000,
        truck,
        // Only some trucks have scales; what is refused stays where it is.
        kilos:
          !truck.hasScale || isRefused
            ? null
            : isEmpty
              ? 0
              : Math.round(Math.min(bin.liters * 0.5, heavyTailed(random, full, 0.45)) * 2) / 2,
        state: isRefused ? "refusé" : truck.hasScale && isEmpty ? "vide" : "vidé",
      });
      if (random.chance(0.004) && !isRefused) {
        const last = reads.at(-1);
        // It was put out again, after the neighbors filled it up.
        if (last)
          reads.push({
            ...last,
            at: last.at + random.between(180, 2400) * 1000,
            kilos: last.kilos === null ? null : random.between(1, 12) / 2,
            state: "vidé",
          });
      }
    }
  }
  reads.sort((a, b) => a.at - b.at);
  const rows = reads
    .filter(({ at }) => at < now)
    .map(
      ({ bin, at, truck, kilos, state }, index): Row => [
        String(7_204_001 + index),
        bin.tag,
        bin.no,
        bin.flow,
        truck.plate,
        timeText(at),
        kilos === null ? null : kilos.toFixed(1),
        state,
        // The antenna says how sure it is.
        String(-41 - Math.round(Math.abs(normal(random)) * 9)),
      ],
    );
  const columns = columnsOf({
    id_levee: "integer key",
    puce: "text",
    num_bac: "text in bacs.num_bac",
    flux: "text",
    immatriculation: "text in vehicules.immatriculation",
    horodatage: "time",
    poids_kg: "decimal",
    resultat: "text",
    rssi_dbm: "integer",
  });
  return { name: "levees", columns, rows, loads: { column: "horodatage", period: "day" } };
}

type Bill = {
  user: User;
  period: string;
  issued: number;
  base: number;
  count: number;
  included: number;
  price: number;
  credits: Bill | null;
  no: string;
  share: number;
};

/** Twice a year; whoever moves in between pays by the day. What was too much is credited. */
function billTable(random: Random, users: readonly User[], bins: readonly Bin[]): CorpusTable {
  const mine = Map.groupBy(
    bins.filter(({ flow, user }) => flow === "OM" && user !== null),
    ({ user }) => user as User,
  );
  const bills: Bill[] = [];
  for (let half = 0; ; half++) {
    const year = 2021 + Math.floor(half / 2);
    const from = Date.UTC(year, (half % 2) * 6, 1);
    const to = Date.UTC(year, (half % 2) * 6 + 6, 1);
    const issued = nextWorkday(to + 17 * dayMs);
    if (issued >= today) break;
    for (const user of users) {
      const bin = mine.get(user)?.find((each) => each.from < to && (each.to === null || each.to > from));
      const days = (Math.min(to, user.to ?? to) - Math.max(from, user.from)) / dayMs;
      if (!bin || days < 1) continue;
      const share = Math.min(1, Math.round((days / ((to - from) / dayMs)) * 100) / 100);
      if (share === 0) continue;
      const grows = [1, 1, 1.04, 1.11, 1.15][year - 2021] ?? 1.15;
      const base = cents(
        ({ 80: 62, 120: 78, 180: 96, 240: 118, 340: 171, 660: 332, 770: 388 }[bin.liters] ?? 78) * grows,
      );
      const included = Math.round(9 * share);
      const habit = user.isSecondHome ? 1.5 : user.kind === "particulier" ? 9 : 24;
      const count = Math.min(26, Math.round(heavyTailed(random, habit, 0.4) * share));
      bills.push({
        user,
        period: `${year}-S${(half % 2) + 1}`,
        issued,
        base,
        count,
        included,
        price: cents(base * 0.035),
        credits: null,
        no: "",
        share,
      });
      const later = nextWorkday(issued + random.between(15, 150) * dayMs);
      const bill = bills.at(-1);
      if (bill && random.chance(0.012) && later < today)
        bills.push({ ...bill, issued: later, credits: bill });
    }
  }
  bills.sort((a, b) => a.issued - b.issued);
  const counts = new Map<string, number>();
  for (const bill of bills) {
    const year = dateText(bill.issued).slice(0, 4);
    counts.set(year, (counts.get(year) ?? 0) + 1);
    bill.no = `${bill.credits ? "AV" : "RI"}${year}${String(counts.get(year)).padStart(5, "0")}`;
  }
  const credited = new Set(bills.flatMap(({ credits }) => credits ?? []));
  const rows = bills.map((bill): Row => {
    const { user, issued, base, count, included, price, share, credits } = bill;
    const sign = credits ? -1 : 1;
    const fixed = cents(base * share) * sign;
    const more = cents(Math.max(0, count - included) * price) * sign;
    const due = issued + 30 * dayMs;
    const isDebited = user.kind === "particulier" && user.id % 3 === 0;
    const paid = nextWorkday(isDebited ? due : issued + Math.min(190, heavyTailed(random, 24, 0.6)) * dayMs);
    const isPaid = credits === null && !credited.has(bill) && paid < today && !(user.id % 41 === 0);
    return [
      bill.no,
      String(user.id),
      bill.period,
      dateText(issued),
      credits ? null : dateText(due),
      share.toFixed(2),
      money(base),
      money(fixed),
      String(count),
      String(included),
      money(price),
      money(more).replace(/^-0\.00$/, "0.00"),
      money(cents(fixed + more)),
      credits
        ? "avoir"
        : credited.has(bill)
          ? "annulée"
          : isPaid
            ? "payée"
            : due < today
              ? "impayée"
              : "émise",
      isPaid ? dateText(paid) : null,
      isPaid
        ? isDebited
          ? "prélèvement"
          : weighted(random, { TIP: 30, "carte bancaire": 45, chèque: 24, numéraire: 1 })
        : null,
      credits?.no ?? null,
    ];
  });
  const columns = columnsOf({
    num_facture: "text key",
    id_usager: "integer in usagers.id_usager",
    periode: "text",
    date_emission: "date",
    date_echeance: "date",
    prorata: "decimal",
    abonnement: "decimal",
    part_fixe: "decimal",
    nb_levees: "integer",
    nb_levees_incluses: "integer",
    prix_levee: "decimal",
    part_variable: "decimal",
    total: "decimal",
    statut: "text",
    date_paiement: "date",
    mode_paiement: "text",
    avoir_de: "text references factures.num_facture",
  });
  return { name: "factures", columns, rows };
}

const complaints: Record<string, string[]> = {
  "bac non collecté": [
    "Rue oubliée ce matin",
    "bac sorti la veille à 19 h !",
    "2e fois ce mois-ci…",
    "travaux rue barrée",
  ],
  "bac cassé": ["roue cassée", "couvercle arraché par le camion", "Cuve fendue"],
  facturation: ["Levées non reconnues", "j'ai déménagé le 3", "RIB changé", "facture au nom du défunt"],
  "dépôt sauvage": ["matelas + frigo devant le PAV", "gravats chemin des Vignes"],
  bruit: ["4h50 du matin…"],
};

function complaintTable(random: Random, users: readonly User[]): CorpusTable {
  const rows: Row[] = [];
  for (let day = Date.parse("2023-01-02"); day < today; day += dayMs) {
    if (isWeekend(day) && !random.chance(0.15)) continue;
    if (!random.chance(0.38 * season(day, -0.25))) continue;
    const kind = weighted(random, {
      "bac non collecté": 48,
      "bac cassé": 22,
      facturation: 18,
      "dépôt sauvage": 9,
      bruit: 3,
    });
    const there = users.filter(({ from, to }) => from < day && (to === null || to > day));
    // Whoever reports what lies around need not say who they are.
    const user = kind === "dépôt sauvage" && random.chance(0.7) ? null : random.pick(there);
    const at = day + random.between(7 * 60, 21 * 60) * 60_000;
    const done =
      nextWorkday(at + Math.ceil(heavyTailed(random, 2.5, 1)) * dayMs) +
      random.between(8 * 60, 17 * 60) * 60_000;
    const isDone = done < now && !random.chance(0.01);
    const texts = complaints[kind] ?? [];
    rows.push([
      `R${dateText(day).slice(2, 4)}-${String(rows.length + 1).padStart(4, "0")}`,
      user === null ? null : String(user.id),
      timeText(at),
      weighted(random, { téléphone: 55, courriel: 25, appli: 20 }),
      kind,
      maybe(random, 0.85, () => random.pick(texts)),
      isDone ? "close" : "ouverte",
      isDone ? timeText(done) : null,
    ]);
  }
  const columns = columnsOf({
    num_reclamation: "text key",
    id_usager: "integer in usagers.id_usager",
    recue_le: "time",
    canal: "text",
    motif: "text",
    message: "text",
    statut: "text",
    close_le: "time",
  });
  return { name: "reclamations", columns, rows };
}
