import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  money,
  mostlyFirst,
  some,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWeekend, momentsOf, poisson } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";
import { headlineOf, type Kind, type Language } from "./newsroom-words.ts";
import { placesOf } from "./places.ts";

/** Where articles come from: people, agencies, and the topics that they are about. */

export const now = Date.parse("2025-05-06T04:10:00Z");
export const feedsFrom = "2023-01-02";
export const minuteMs = 60_000;
export const desks = ["Politics", "Economy", "Region", "Sports", "Culture", "Science", "Opinion"] as const;
export type Desk = (typeof desks)[number];

export type Author = {
  id: number;
  byline: string;
  kind: "staff" | "freelance" | "agency" | "pseudonym" | "system";
  desk: Desk | null;
  email: string | null;
  joined: number;
  left: number | null;
  alias: Author | null;
};

export const agencies = ["dpa", "AFP", "Reuters", "Kyodo", "Keystone-SDA"];

export function authorsOf(random: Random): Author[] {
  const founded = Date.parse("2014-09-01");
  const authors = [...agencies, "Online desk"].map(
    (byline, index): Author => ({
      id: index + 1,
      byline,
      kind: byline === "Online desk" ? "system" : "agency",
      desk: null,
      email: null,
      joined: founded,
      left: null,
      alias: null,
    }),
  );
  const mails = new Set<string>();
  let joined = founded;
  let id = 20;
  while (authors.length < 250) {
    joined = Math.min(now - 3 * dayMs, joined + Math.floor(random.next() * 31) * dayMs);
    id += random.chance(0.85) ? 1 : random.between(2, 5);
    const person = id % 41 === 0 ? authors.findLast(({ kind }) => kind === "staff") : undefined;
    if (person && random.chance(0.6)) {
      const byline = random.pick([
        "Gallus",
        "Die Wanderin",
        "M. Montag",
        "L'Observatrice",
        "xyz",
        "Kater Carlo",
      ]);
      authors.push({ ...person, id, byline, kind: "pseudonym", email: null, joined, alias: person });
      continue;
    }
    // Now and then somebody has the name of somebody else: then the address has a number.
    const byline = person?.byline ?? `${firstName(random)} ${lastName(random)}`;
    const user = byline.split(" ").map(plain).join(".");
    const count = [...mails].filter((mail) => mail.replace(/\d+$/, "") === user).length;
    const kind = weighted(random, { staff: 62, freelance: 38 });
    mails.add(count > 0 ? `${user}${count + 1}` : user);
    const leaves = joined + Math.round(heavyTailed(random, 1500, 0.9)) * dayMs;
    authors.push({
      id,
      byline,
      kind,
      desk: kind === "staff" || random.chance(0.7) ? mostlyFirst(random, desks, 1.3) : null,
      email:
        kind === "staff"
          ? `${[...mails].at(-1)}@tagblatt.example`
          : maybe(
              random,
              0.8,
              () => `${[...mails].at(-1)}@${random.pick(["mail.example", "presse.example"])}`,
            ),
      joined,
      left: leaves < now ? leaves : null,
      alias: null,
    });
  }
  return authors;
}

export const isActive = ({ joined, left }: Author, at: number): boolean =>
  joined <= at && (left === null || left > at + dayMs);

export function authorTable(random: Random, authors: readonly Author[]): CorpusTable {
  const rows = authors.map(({ id, byline, kind, desk, email, joined, left, alias }): Row => {
    const isPerson = kind === "staff" || kind === "freelance";
    return [
      String(id),
      byline,
      kind,
      desk,
      email,
      kind === "agency" ? null : dateText(joined),
      left === null ? null : dateText(left),
      alias ? String(alias.id) : null,
      isPerson ? maybe(random, 0.45, () => societyNumber(random)) : null,
      // Nobody keeps this up since the house left that network.
      isPerson && joined < Date.parse("2022-11-01")
        ? maybe(random, 0.3, () => `@${plain(byline).slice(0, 12)}${random.pick(["", "", "_tb", "1"])}`)
        : null,
      isPerson
        ? maybe(
            random,
            0.25,
            () => `${random.pick(["Covers", "Writes about", "Schreibt über", "Suit"])} ${desk ?? "…"}.`,
          )
        : null,
    ];
  });
  const columns = columnsOf({
    author_id: "integer key",
    byline: "text",
    kind: "text",
    desk: "text",
    email: "text",
    joined_on: "date",
    left_on: "date",
    pseudonym_of: "integer references authors.author_id",
    society_no: "text",
    twitter: "text",
    bio: "text",
  });
  return { name: "authors", columns, rows };
}

/** Modulo 11: ten is an X. */
function societyNumber(random: Random): string {
  const body = `${random.between(1, 9)}${digits(random, 5)}`;
  const rest = [...body].reduce((sum, digit, index) => sum + Number(digit) * (7 - index), 0) % 11;
  return `${body}-${["0", "X", "9", "8", "7", "6", "5", "4", "3", "2", "1"][rest]}`;
}

export type Topic = {
  id: number;
  slug: string;
  en: string;
  de: string;
  fr: string | null;
  kind: "section" | "subject" | "place" | "person";
  parent: Topic | null;
  iptc: string | null;
  into: Topic | null;
  created: number;
};

const sections: [string, string, string, [string, string, string | null][]][] = [
  [
    "Politics",
    "Politik",
    "Politique",
    [
      ["Elections", "Wahlen", "Élections"],
      ["Parliament", "Parlament", "Parlement"],
      ["Migration", "Migration", "Migration"],
    ],
  ],
  [
    "Economy",
    "Wirtschaft",
    "Économie",
    [
      ["Banks", "Banken", "Banques"],
      ["Energy", "Energie", "Énergie"],
      ["Labour", "Arbeit", "Travail"],
      ["Taxes", "Steuern", "Impôts"],
    ],
  ],
  [
    "Region",
    "Region",
    "Région",
    [
      ["Traffic", "Verkehr", "Trafic"],
      ["Schools", "Schulen", "Écoles"],
      ["Weather", "Wetter", "Météo"],
    ],
  ],
  [
    "Sports",
    "Sport",
    "Sport",
    [
      ["Football", "Fussball", "Football"],
      ["Ski", "Ski", "Ski"],
      ["Cycling", "Rad", "Cyclisme"],
      ["Hornussen", "Hornussen", null],
    ],
  ],
  [
    "Culture",
    "Kultur",
    "Culture",
    [
      ["Film", "Film", "Cinéma"],
      ["Music", "Musik", "Musique"],
      ["Books", "Bücher", "Livres"],
    ],
  ],
  [
    "Science",
    "Wissen",
    "Sciences",
    [
      ["Climate", "Klima", "Climat"],
      ["Medicine", "Medizin", "Médecine"],
      ["Space", "Weltraum", "Espace"],
    ],
  ],
];

export function topicsOf(random: Random): Topic[] {
  const topics: Topic[] = [];
  const start = Date.parse("2014-09-01");
  const add = (topic: Omit<Topic, "id" | "into">) => {
    const made: Topic = { id: (topics.at(-1)?.id ?? 0) + random.between(1, 2), into: null, ...topic };
    topics.push(made);
    return made;
  };
  for (const [index, [en, de, fr, subjects]] of sections.entries()) {
    const iptc = String((index + 1) * 1_000_000).padStart(8, "0");
    const section = add({ slug: plain(en), en, de, fr, kind: "section", parent: null, iptc, created: start });
    for (const [at, [english, german, french]] of subjects.entries())
      add({
        slug: plain(english),
        en: english,
        de: german,
        fr: french,
        kind: "subject",
        parent: section,
        iptc: french === null ? null : String((index + 1) * 1_000_000 + (at + 1) * 1000).padStart(8, "0"),
        created: start,
      });
  }
  const region = topics.find(({ en }) => en === "Region") ?? null;
  const named = [
    // Towns of the same name in two countries are two topics.
    ...placesOf(random, 150).map(({ city, country }) => ({
      slug: `${plain(city)}-${country.toLowerCase()}`,
      en: city,
      de: city,
      fr: city,
      kind: "place" as const,
      parent: region,
    })),
    ...Array.from({ length: 150 }, () => {
      const name = `${firstName(random)} ${lastName(random)}`;
      const parent = random.pick(topics.filter(({ kind }) => kind === "subject"));
      return {
        slug: name.split(" ").map(plain).join("-"),
        en: name,
        de: name,
        fr: null,
        kind: "person" as const,
        parent,
      };
    }),
  ];
  const slugs = new Set<string>();
  for (const [index, topic] of some(random, named, named.length).entries()) {
    const slug = slugs.has(topic.slug) ? `${topic.slug}-${index}` : topic.slug;
    slugs.add(slug);
    const created =
      start + Math.floor((index / named.length) * (now - start - 10 * dayMs)) + random.between(0, 9) * hourMs;
    add({ ...topic, slug, iptc: null, created });
  }
  for (const topic of topics.filter(({ kind }) => kind === "person")) {
    const earlier = topics.filter(
      (other) => other.kind === "person" && !other.into && other.created < topic.created,
    );
    if (earlier.length > 0 && random.chance(0.06)) topic.into = random.pick(earlier);
  }
  return topics;
}

export function topicTable(random: Random, topics: readonly Topic[]): CorpusTable {
  const rows = topics.map(
    (topic): Row => [
      String(topic.id),
      topic.slug,
      topic.kind,
      topic.en,
      topic.de,
      topic.fr,
      topic.parent ? String(topic.parent.id) : null,
      topic.iptc,
      topic.into ? String(topic.into.id) : null,
      topic.into ? "false" : "true",
      // What is not ordered by hand comes last.
      topic.kind === "section" ? String((topics.indexOf(topic) + 1) * 10) : random.chance(0.05) ? "1" : "999",
      timeText(topic.created),
    ],
  );
  const columns = columnsOf({
    topic_id: "integer key",
    slug: "text",
    kind: "text",
    label_en: "text",
    label_de: "text",
    label_fr: "text",
    parent_id: "integer references topics.topic_id",
    iptc_code: "text",
    merged_into: "integer references topics.topic_id",
    is_active: "other",
    position: "integer",
    created_at: "time",
  });
  return { name: "topics", columns, rows };
}

export type Revision = {
  at: number;
  by: Author | null;
  words: number;
  note: string | null;
  isMinor: boolean;
};

export type Article = {
  id: number;
  headline: string;
  kind: Kind;
  language: Language;
  desk: Desk;
  author: Author;
  topic: Topic;
  status: "draft" | "review" | "scheduled" | "published" | "withdrawn" | "killed";
  created: number;
  /** When it is to appear by itself. */
  slot: number | null;
  published: number | null;
  embargo: number | null;
  deleted: number | null;
  words: number;
  updated: number;
  original: Article | null;
  revisions: Revision[];
  uuid: string;
  legacyId: string | null;
  slug: string;
  dek: string | null;
  /** Everything was free before the paywall. */
  access: "free" | "metered" | "premium" | null;
  prominence: number;
};

export type Item = {
  id: number;
  feed: string;
  guid: string;
  received: number;
  headline: string;
  language: Language;
  urgency: number | null;
  embargo: number | null;
  version: number;
  supersedes: Item | null;
  isKill: boolean;
  article: Article | null;
  fee: number;
  currency: string;
  rights: number | null;
};

const feeds = {
  dpa: { language: "de", currency: "EUR", weight: 40 },
  AFP: { language: "fr", currency: "EUR", weight: 22 },
  Reuters: { language: "en", currency: "USD", weight: 20 },
  "Keystone-SDA": { language: "de", currency: "CHF", weight: 13 },
  Kyodo: { language: "en", currency: "JPY", weight: 5 },
} as const;

/** Each corrected text comes as another item that replaces the one before; a kill takes it back. */
export function itemsOf(random: Random): Item[] {
  const items: Item[] = [];
  const weights = Object.fromEntries(Object.entries(feeds).map(([name, { weight }]) => [name, weight]));
  for (const day of daysFrom(feedsFrom, now - dayMs))
    for (const received of momentsOf(random, day, poisson(random, isWeekend(day) ? 2.2 : 3.6))) {
      const feed = weighted(random, weights) as keyof typeof feeds;
      const { language, currency } = feeds[feed];
      const isEmbargoed = random.chance(0.04);
      // A flat rate is paid for all but pictures and long texts.
      const isFlat = random.chance(0.8);
      const usual = currency === "JPY" ? 9000 : 70;
      const fee = isFlat ? 0 : Math.round(heavyTailed(random, usual, 0.5) / 5) * 5;
      const item: Item = {
        id: 0,
        feed,
        guid: guidOf(random, feed, received),
        received,
        headline: headlineOf(random, language),
        language,
        urgency:
          feed === "Kyodo" ? null : Number(weighted(random, { 4: 50, 3: 28, 5: 12, 2: 8, 1: 1, 8: 1 })),
        embargo: isEmbargoed ? Math.ceil(received / hourMs) * hourMs + random.between(2, 40) * hourMs : null,
        version: 1,
        supersedes: null,
        isKill: false,
        article: null,
        fee,
        currency,
        rights: isFlat ? null : received + random.pick([30, 90, 365]) * dayMs,
      };
      items.push(item);
      for (let last = item; random.chance(last === item ? 0.09 : 0.2); ) {
        const isKill = random.chance(0.06);
        const sent = last.received + random.between(3, 190) * minuteMs;
        if (sent >= now) break;
        last = {
          ...last,
          guid: guidOf(random, feed, sent),
          received: sent,
          version: last.version + 1,
          supersedes: last,
          isKill,
          fee: 0,
          embargo: last.embargo !== null && last.embargo > sent ? last.embargo : null,
        };
        if (isKill) last.headline = `KILL: ${item.headline}`;
        items.push(last);
        if (isKill) break;
      }
    }
  items.sort((a, b) => a.received - b.received);
  for (const [index, item] of items.entries()) item.id = 70_001 + index;
  return items;
}

function guidOf(random: Random, feed: string, at: number): string {
  const day = dateText(at).replaceAll("-", "");
  if (feed === "dpa") return `urn:newsml:dpa.com:20090101:${day.slice(2)}-99-${digits(random, 6)}`;
  if (feed === "Reuters")
    return `tag:reuters.com,${day.slice(0, 4)}:newsml_L${random.between(1, 8)}N3${letters(random, 2)}${digits(random, 3)}`;
  if (feed === "AFP")
    return `http://d.afp.com/${digits(random, 2)}${letters(random, 2)}${digits(random, 3)}${letters(random, 1)}`;
  if (feed === "Kyodo") return `${day}${digits(random, 5)}`;
  return uuid(random);
}

export function itemTable(items: readonly Item[]): CorpusTable {
  const rows = items.map(
    (item): Row => [
      String(item.id),
      item.feed,
      item.guid,
      timeText(item.received),
      item.headline,
      item.language,
      item.urgency === null ? null : String(item.urgency),
      String(item.version),
      item.supersedes ? String(item.supersedes.id) : null,
      item.isKill ? "true" : "false",
      item.embargo === null ? null : timeText(item.embargo),
      item.article ? String(item.article.id) : null,
      money(item.fee),
      item.currency,
      // Under the flat rate for good.
      item.rights === null ? "9999-12-31" : dateText(item.rights),
    ],
  );
  const columns = columnsOf({
    item_id: "integer key",
    feed: "text",
    guid: "text",
    received_at: "time",
    headline: "text",
    language: "text",
    urgency: "integer",
    version: "integer",
    supersedes_id: "integer references syndication_items.item_id",
    is_kill: "other",
    embargo_until: "time",
    article_id: "integer in articles.article_id",
    fee: "decimal",
    currency: "text",
    rights_until: "date",
  });
  return { name: "syndication_items", columns, rows, loads: { column: "received_at", period: "week" } };
}
