import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, heavyTailed, maybe, mostlyFirst, normal, timeText, uuid, weighted } from "../draw.ts";
import { daysFrom, hourMs, isWeekend, momentsOf, poisson } from "./calendar.ts";
import { plain } from "./names.ts";
import {
  type Article,
  type Author,
  agencies,
  desks,
  feedsFrom,
  type Item,
  isActive,
  minuteMs,
  now,
  type Revision,
  type Topic,
} from "./newsroom-sources.ts";
import { headlineOf, type Kind } from "./newsroom-words.ts";

const first = "2020-03-02";
/** Everything older was brought over from another system in one night, without its history. */
export const moved = Date.parse("2021-11-15T01:00:00Z");
const paywall = Date.parse("2022-03-01");
/** From one to five before, and from 0 to 100 since then. */
const newScores = Date.parse("2023-05-01");
const words: Record<Kind, number> = {
  story: 560,
  brief: 130,
  wire: 290,
  opinion: 720,
  liveblog: 2600,
  gallery: 0,
  video: 0,
  guide: 1100,
};

type Parts = { authors: readonly Author[]; topics: readonly Topic[]; items: readonly Item[] };

export function articlesOf(random: Random, { authors, topics, items }: Parts): Article[] {
  const drafts: Pick<Article, "created" | "kind" | "language" | "headline" | "embargo" | "original">[] = [];
  const fromItems = new Map<object, Item>();
  for (const day of daysFrom(first, now - dayMs))
    for (const created of momentsOf(random, day, poisson(random, isWeekend(day) ? 0.8 : 1.7), [5, 22])) {
      const kinds = {
        story: 52,
        brief: 12,
        opinion: 8,
        liveblog: 2,
        gallery: 6,
        video: 4,
        guide: 1,
        wire: created < Date.parse(feedsFrom) ? 14 : 0,
      };
      const kind = weighted(random, kinds) as Kind;
      const language = weighted(random, { de: 60, fr: 28, en: 12 });
      const embargo = random.chance(0.02)
        ? Math.ceil(created / hourMs) * hourMs + random.between(3, 70) * hourMs
        : null;
      drafts.push({
        created,
        kind,
        language,
        headline: headlineOf(random, language, kind),
        embargo,
        original: null,
      });
    }
  const replaced = new Set(items.map(({ supersedes }) => supersedes));
  for (const item of items) {
    if (replaced.has(item) || item.isKill || !random.chance(0.1)) continue;
    const created = item.received + random.between(2, 90) * minuteMs;
    if (created > now - 3 * hourMs) continue;
    const draft = {
      created,
      kind: "wire" as const,
      language: item.language,
      headline: item.headline,
      embargo: item.embargo,
      original: null,
    };
    drafts.push(draft);
    fromItems.set(draft, item);
  }
  drafts.sort((a, b) => a.created - b.created);
  const articles: Article[] = [];
  let id = 100_200;
  for (const draft of drafts) {
    id += random.chance(0.8) ? 1 : random.between(2, 7);
    // Some are translated a day or two later.
    const isNew = draft.created >= moved;
    const earlier =
      isNew && draft.kind === "story" && random.chance(0.04) ? articles.at(-random.between(3, 6)) : undefined;
    const original =
      earlier?.status === "published" &&
      !earlier.original &&
      earlier.published !== null &&
      earlier.published < draft.created &&
      earlier.language !== draft.language
        ? earlier
        : null;
    const item = fromItems.get(draft);
    const article = articleOf(random, { ...draft, id, original }, authors, topics, item?.feed);
    articles.push(article);
    if (item) item.article = article;
  }
  return articles;
}

type Start = Pick<Article, "id" | "created" | "kind" | "language" | "headline" | "embargo" | "original">;

function articleOf(
  random: Random,
  start: Start,
  authors: readonly Author[],
  topics: readonly Topic[],
  feed?: string,
): Article {
  const { created, kind, original } = start;
  const desk = kind === "opinion" ? "Opinion" : mostlyFirst(random, desks.slice(0, 6), 1.3);
  const active = authors.filter(
    (author) => author.kind !== "agency" && author.kind !== "system" && isActive(author, created),
  );
  const own = active.filter((author) => author.desk === desk);
  const agency = feed ?? random.pick(agencies);
  const author =
    kind === "wire"
      ? (authors.find(({ byline }) => byline === agency) as Author)
      : kind === "brief" && random.chance(0.6)
        ? (authors.find(({ kind: of }) => of === "system") as Author)
        : mostlyFirst(random, own.length > 2 ? own : active, 1.5);
  const usable = topics.filter(
    (topic) => topic.created < created && !topic.into && (topic.kind !== "section" || random.chance(0.3)),
  );
  const count =
    kind === "liveblog" || kind === "guide"
      ? random.between(4, 9)
      : kind === "wire"
        ? 1
        : random.between(1, 5);
  const isLegacy = created < moved;
  const isLate = created > now - 8 * dayMs;
  let status = weighted(random, {
    published: 950,
    killed: 22,
    withdrawn: 8,
    draft: isLegacy ? 0 : 10,
  }) as Article["status"];
  if (isLate && random.chance(0.4)) status = random.pick(["draft", "review", "scheduled"]);
  const takes = kind === "wire" || kind === "brief" ? 25 : 190;
  const ready = created + Math.round(heavyTailed(random, takes, 0.8)) * minuteMs;
  const slot =
    !isLegacy && random.chance(0.3)
      ? Math.ceil(ready / (15 * minuteMs)) * 15 * minuteMs + (random.between(0, 30) * hourMs) / 2
      : null;
  const appears = Math.max(slot ?? ready, start.embargo ?? 0);
  if ((status === "published" || status === "withdrawn") && appears > now - 2 * hourMs) status = "scheduled";
  const isOut = status === "published" || status === "withdrawn";
  const final =
    kind === "gallery" || kind === "video" ? 0 : Math.round(heavyTailed(random, words[kind], 0.4));
  const times = revisionTimes(
    random,
    created,
    isOut ? appears : Math.min(ready, now - 1 * minuteMs),
    count,
    isOut,
  );
  const editors = active.filter((each) => each.kind === "staff");
  const revisions = times.map((at, index): Revision => {
    const isLast = index === times.length - 1;
    const share = isLast ? 1 : (index + 1) / times.length + normal(random) * 0.06;
    const isAuthor = index === 0 && author.kind !== "agency" && author.kind !== "system";
    return {
      at,
      by: isAuthor ? (author.alias ?? author) : author.kind === "system" ? null : random.pick(editors),
      words: Math.max(0, Math.round(final * share)),
      note:
        isOut && at > appears
          ? random.pick(["Update", "Tippfehler", "mise à jour", null])
          : index === 0
            ? null
            : maybe(random, 0.2, () => random.pick(["gegengelesen", "Kürzung Print", "legal ok", "titre"])),
      isMinor: isOut && at > appears && random.chance(0.5),
    };
  });
  const last = times.at(-1) ?? created;
  const withdrawn =
    status === "withdrawn"
      ? Math.min(now - hourMs, Math.max(last, moved + dayMs) + random.between(2, 600) * 5 * hourMs)
      : null;
  const slug = `${plain(start.headline.split(" ").slice(0, 3).join(""))}-${start.id}`;
  const access =
    created < paywall
      ? null
      : kind === "wire" || kind === "brief"
        ? "free"
        : weighted(random, { metered: 60, premium: 30, free: 10 });
  const weight = random.next() ** 2;
  return {
    ...start,
    original,
    desk,
    author,
    topic: mostlyFirst(random, usable, 1.2),
    status,
    slot: isOut
      ? slot
      : status === "scheduled"
        ? Math.max(
            slot ?? 0,
            start.embargo ?? 0,
            Math.ceil(now / hourMs) * hourMs + random.between(1, 60) * hourMs,
          )
        : null,
    published: isOut ? appears : null,
    deleted: withdrawn,
    words: final,
    updated: Math.max(last, withdrawn ?? 0, isOut ? appears : 0),
    revisions: isLegacy
      ? [
          {
            at: moved + ((start.id * 977) % 9000) * 1000,
            by: null,
            words: final,
            note: "import",
            isMinor: false,
          },
        ]
      : revisions,
    uuid: uuid(random),
    legacyId: isLegacy ? `n${String(start.id * 3 - 200_000).padStart(7, "0")}` : null,
    slug: isLegacy ? `${slug}.html` : slug,
    dek: maybe(random, kind === "brief" || kind === "wire" ? 0.2 : 0.85, () =>
      headlineOf(random, start.language),
    ),
    access,
    prominence: created < newScores ? 5 - Math.floor(weight * 5) : Math.round(weight * 100),
  };
}

/** The first when it is begun; some come after it is out. */
function revisionTimes(random: Random, from: number, to: number, count: number, isOut: boolean): number[] {
  const latest = isOut ? Math.min(now - 5 * minuteMs, to + random.between(1, 30) * hourMs) : to;
  const times = new Set([from]);
  for (let index = 1; index < count; index++) {
    const isAfter = isOut && random.chance(0.25);
    const [start, end] = isAfter ? [to, latest] : [from, to];
    times.add(Math.floor((start + (end - start) * random.next()) / 1000) * 1000);
  }
  return [...times].toSorted((a, b) => a - b);
}

export function articleTable(articles: readonly Article[]): CorpusTable {
  const time = (moment: number | null) => (moment === null ? null : timeText(moment));
  const rows = articles.map((article): Row => {
    return [
      String(article.id),
      article.uuid,
      article.legacyId,
      article.slug,
      article.headline,
      article.dek,
      article.kind,
      article.language,
      article.desk,
      String(article.author.id),
      String(article.topic.id),
      article.status,
      article.access,
      String(article.prominence),
      timeText(article.created),
      time(article.slot),
      time(article.embargo),
      time(article.published),
      timeText(article.updated),
      time(article.deleted),
      String(article.words),
      String(Math.ceil(article.words / 220)),
      article.original ? String(article.original.id) : null,
    ];
  });
  const columns = columnsOf({
    article_id: "integer key",
    uuid: "uuid",
    legacy_id: "text",
    slug: "text",
    headline: "text",
    dek: "text",
    kind: "text",
    language: "text",
    desk: "text",
    author_id: "integer references authors.author_id",
    main_topic_id: "integer references topics.topic_id",
    status: "text",
    access: "text",
    prominence: "integer",
    created_at: "time",
    publish_from: "time",
    embargo_until: "time",
    published_at: "time",
    updated_at: "time",
    deleted_at: "time",
    word_count: "integer",
    reading_minutes: "integer",
    translation_of: "integer references articles.article_id",
  });
  return { name: "articles", columns, rows };
}
