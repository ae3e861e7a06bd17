import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, maybe, mostlyFirst, weighted } from "../draw.ts";
import { isWorkday } from "./calendar.ts";
import { plain } from "./names.ts";

/** Who throws away, and the bins that they have for it. */

export const now = Date.parse("2025-11-19T04:30:00Z");
export const today = Date.parse("2025-11-19");
/** Before, all paid by the size of their house, and bins had no tags. */
export const tagged = Date.parse("2021-01-01");

export function nextWorkday(moment: number): number {
  let day = Math.floor(moment / dayMs) * dayMs;
  while (!isWorkday(day)) day += dayMs;
  return day;
}

type Commune = {
  insee: string;
  name: string;
  postcode: string;
  people: number;
  joined: number;
  left: number | null;
};

/** Small ones share a postcode; one left, one came of two that merged. */
const communes: Commune[] = `38412|Saint-Just-Chaleyssin|38540|2710|1984-01-01|
38087|Châtonnay|38440|2104|1984-01-01|
38004|Les Adrets-du-Bion|38440|148|1984-01-01|
38238|Meyrieu-les-Étangs|38440|1043|1991-01-01|
38351|Royas|38440|438|1991-01-01|
38389|Saint-Georges-d'Espéranche|38790|3418|1984-01-01|
38544|Vienne|38200|31555|2018-01-01|
38316|Pont-Évêque|38780|5331|2002-01-01|
38157|Eyzin-Pinet|38780|2345|2002-01-01|
38298|L'Isle-sous-Bois|38440|912|2017-01-01|
38346|Ô-la-Combe|38440|63|1984-01-01|2019-12-31
38480|Septème|38780|2187|2002-01-01|`
  .split("\n")
  .map((line) => {
    const [insee = "", name = "", postcode = "", people, joined = "", left] = line.split("|");
    return {
      insee,
      name,
      postcode,
      people: Number(people),
      joined: Date.parse(joined),
      left: left ? Date.parse(left) : null,
    };
  });

export function communeTable(): CorpusTable {
  const rows = communes.map(
    ({ insee, name, postcode, people, joined, left }): Row => [
      insee,
      name,
      postcode,
      String(people),
      dateText(joined),
      left === null ? null : dateText(left),
    ],
  );
  const columns = columnsOf({
    code_insee: "text key",
    nom: "text",
    code_postal: "text",
    population: "integer",
    date_adhesion: "date",
    date_retrait: "date",
  });
  return { name: "communes", columns, rows };
}

export type User = {
  id: number;
  kind: "particulier" | "professionnel" | "collectif" | "public";
  last: string;
  first: string | null;
  people: number | null;
  commune: Commune;
  address: string;
  from: number;
  to: number | null;
  siret: string | null;
  isSecondHome: boolean;
};

const lasts =
  "Martin,Bernard,Durand,Petit,Moreau,Garcia,Roux,Fournier,Girard,Bonnet,Lefèvre,Mercier,Guérin,Perrin,Boyer,N'Diaye,Le Goff,D'Amico,Benoît,Chevallier,Da Silva,Gonçalves,Ben Amor,Nguyen,Ruet,Ollier,Vachez,Bö,Thévenet,Charreton-Meunier".split(
    ",",
  );
const firsts =
  "Marie,Jean,Nathalie,Michel,Isabelle,Philippe,Élodie,Hervé,Zoé,Noël,Chloé,Mohamed,Jean-Pierre,Anne-Laure,Inès,Thierry,Benoît,Yann,Françoise,Loïc,Aïcha,Rémi".split(
    ",",
  );
const streets =
  "rue de la République,place de l'Église,route de Lyon,chemin des Vignes,impasse du Lavoir,montée du Château,allée des Tilleuls,rue du 8-Mai-1945,lieu-dit Le Bois,chemin du Moulin".split(
    ",",
  );
const shops =
  "Boulangerie,Garage,EARL,Pharmacie,Restaurant Le Relais,SARL,Coiffure,Camping,Menuiserie,Cabinet".split(
    ",",
  );
const offices = "Mairie de,École élémentaire de,Salle des fêtes de,EHPAD de,Collège de,Cimetière de".split(
  ",",
);

/** Nine digits of the firm and five of the place; both pass Luhn's test. */
export function siret(random: Random): string {
  const check = (body: string): string => {
    const sum = [...body].toReversed().reduce((all, digit, index) => {
      const twice = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
      return all + (twice > 9 ? twice - 9 : twice);
    }, 0);
    return `${body}${(10 - (sum % 10)) % 10}`;
  };
  const firm = check(`${random.between(3, 8)}${digits(random, 7)}`);
  return check(`${firm}000${random.between(1, 4)}`);
}

export function usersOf(random: Random): User[] {
  const there = communes.toSorted((a, b) => b.people - a.people);
  const users: User[] = [];
  for (let count = 0; count < 1150; count++) {
    const kind = weighted(random, { particulier: 84, professionnel: 9, collectif: 4, public: 3 });
    const commune = mostlyFirst(random, there, 1.5);
    const address = `${random.chance(0.08) ? "" : `${random.between(1, 180)}${random.chance(0.07) ? " bis" : ""} `}${random.pick(streets)}`;
    let from = Math.max(commune.joined, Date.parse("2009-01-01"));
    if (random.chance(0.55)) from = Math.max(from, tagged - 700 * dayMs) + random.between(0, 1900) * dayMs;
    // Houses are sold: the next one has the same address, and another number.
    for (let next = true; next && from < (commune.left ?? today); ) {
      const stays = from + Math.round(heavyTailed(random, 4200, 0.9)) * dayMs;
      const end = Math.min(stays, commune.left ?? stays);
      users.push({ ...userOf(random, kind, commune), address, from, to: end < today ? end : null });
      next = kind === "particulier" && end < today && commune.left === null && random.chance(0.85);
      from = end + random.pick([0, 1, 1, 1, 30, 75]) * dayMs;
    }
  }
  users.sort((a, b) => a.from - b.from);
  let id = 10_000;
  for (const user of users) {
    id += random.between(1, 4);
    user.id = id;
  }
  return users;
}

function userOf(random: Random, kind: User["kind"], commune: Commune): User {
  const last = mostlyFirst(random, lasts, 1.3);
  const isSecondHome = kind === "particulier" && random.chance(0.06);
  const names = {
    particulier: last,
    professionnel: `${mostlyFirst(random, shops, 1)} ${last}`,
    collectif: `Copropriété ${random.pick(["Les Tilleuls", "Le Parc", "Bellevue", "L'Orée", "Le Clos"])} (syndic ${last})`,
    public: `${random.pick(offices)} ${commune.name}`
      .replace(/de (?=[ÉAEIO])/, "d'")
      .replace("de Les ", "des "),
  };
  return {
    id: 0,
    kind,
    last: names[kind],
    first: kind === "particulier" ? mostlyFirst(random, firsts, 1.3) : null,
    people:
      kind !== "particulier"
        ? null
        : isSecondHome
          ? 0
          : Number(weighted(random, { 1: 32, 2: 34, 3: 14, 4: 14, 5: 5, 6: 1, 9: 0.3 })),
    commune,
    address: "",
    from: 0,
    to: null,
    siret: kind === "professionnel" || kind === "public" ? siret(random) : null,
    isSecondHome,
  };
}

export function userTable(random: Random, users: readonly User[]): CorpusTable {
  const rows = users.map(
    (user): Row => [
      String(user.id),
      user.kind,
      user.last,
      user.first,
      user.siret,
      // Nobody is counted where somebody only comes in summer.
      user.people === null ? null : String(user.people),
      user.isSecondHome ? "secondaire" : user.kind === "particulier" ? "principale" : null,
      user.address,
      user.commune.insee,
      user.commune.postcode,
      user.commune.name,
      maybe(
        random,
        user.from > tagged ? 0.7 : 0.25,
        () => `${plain(user.first ?? "contact")}.${plain(user.last)}@courriel.example`,
      ),
      maybe(
        random,
        0.6,
        () =>
          `0${random.pick([4, 6, 6, 7])} ${digits(random, 2)} ${digits(random, 2)} ${digits(random, 2)} ${digits(random, 2)}`,
      ),
      dateText(user.from),
      user.to === null ? null : dateText(user.to),
      user.from < Date.parse("2014-01-01") ? `TEOM${digits(random, 6)}` : null,
    ],
  );
  const columns = columnsOf({
    id_usager: "integer key",
    type_usager: "text",
    nom: "text",
    prenom: "text",
    siret: "text",
    nb_personnes: "integer",
    residence: "text",
    adresse: "text",
    code_insee: "text in communes.code_insee",
    code_postal: "text",
    commune: "text",
    courriel: "text",
    telephone: "text",
    date_entree: "date",
    date_sortie: "date",
    ancien_numero: "text",
  });
  return { name: "usagers", columns, rows };
}

export type Bin = {
  no: string;
  tag: string;
  liters: number;
  flow: "OM" | "TRI" | "BIO";
  user: User | null;
  from: number;
  to: number | null;
  why: string | null;
  before: Bin | null;
};

/** As many as there are people or more; the next one is as large, unless it was for its size. */
function litersOf(random: Random, { kind, people }: User, flow: Bin["flow"], before: Bin | null): number {
  const sizes = kind !== "particulier" ? [240, 340, 660, 770] : flow === "BIO" ? [80, 120] : [120, 180, 240];
  if (before?.why === "changement volume") return random.pick(sizes.filter((size) => size !== before.liters));
  if (before) return before.liters;
  if (kind !== "particulier") return random.pick(sizes);
  return flow === "BIO" ? 80 : (people ?? 1) > 3 ? 240 : random.pick([120, 120, 180]);
}

/** One of each flow; a family that grew has a larger one, and what burned or was stolen was replaced. */
export function binsOf(random: Random, users: readonly User[]): Bin[] {
  const bins: Bin[] = [];
  for (const user of users.filter(({ to }) => to === null || to > tagged))
    for (const flow of ["OM", "TRI", "BIO"] as const) {
      if (flow === "BIO" && !random.chance(user.commune.name === "Vienne" ? 0.5 : 0.1)) continue;
      let from = nextWorkday(
        Math.max(user.from, tagged - random.between(20, 200) * dayMs) + random.between(0, 9) * dayMs,
      );
      let before: Bin | null = null;
      while (from < Math.min(today, user.to ?? today)) {
        const lasts = from + Math.round(heavyTailed(random, 5200, 0.7)) * dayMs;
        const end = Math.min(lasts, user.to ?? lasts);
        const isOver = end < today;
        const bin: Bin = {
          no: "",
          tag: `E280${Array.from({ length: 20 }, () => random.between(0, 15).toString(16).toUpperCase()).join("")}`,
          liters: litersOf(random, user, flow, before),
          flow,
          user,
          from,
          to: isOver ? end : null,
          why: !isOver
            ? null
            : end === user.to
              ? "départ usager"
              : weighted(random, { cassé: 50, "changement volume": 25, volé: 14, incendié: 6, "puce HS": 5 }),
          before,
        };
        bins.push(bin);
        if (!isOver || end === user.to) break;
        before = bin;
        from = nextWorkday(end + random.between(0, 6) * dayMs);
      }
    }
  // In the yard, waiting for somebody.
  for (let count = 0; count < 40; count++)
    bins.push({
      ...(random.pick(bins) as Bin),
      tag: `E280${Array.from({ length: 20 }, () => random.between(0, 15).toString(16).toUpperCase()).join("")}`,
      user: null,
      from: Date.parse("2025-03-11"),
      to: null,
      why: null,
      before: null,
    });
  bins.sort((a, b) => a.from - b.from);
  for (const [index, bin] of bins.entries())
    bin.no = `${bin.flow === "OM" ? "M" : bin.flow === "TRI" ? "T" : "B"}${bin.liters}-${String(index + 1).padStart(5, "0")}`;
  return bins;
}

export function binTable(bins: readonly Bin[]): CorpusTable {
  const rows = bins.map(
    (bin): Row => [
      bin.no,
      bin.tag,
      String(bin.liters),
      bin.flow,
      bin.user === null ? null : String(bin.user.id),
      // Those in the yard were never put anywhere.
      bin.user === null ? null : dateText(bin.from),
      bin.to === null ? null : dateText(bin.to),
      bin.why,
      bin.before?.no ?? null,
    ],
  );
  const columns = columnsOf({
    num_bac: "text key",
    puce: "text",
    litrage: "integer",
    flux: "text",
    id_usager: "integer references usagers.id_usager",
    date_pose: "date",
    date_retrait: "date",
    motif_retrait: "text",
    remplace_bac: "text references bacs.num_bac",
  });
  return { name: "bacs", columns, rows };
}
