import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, maybe, normal, timeText, weighted } from "../draw.ts";
import { daysFrom, isWeekend, poisson } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";
import { articlesOf, articleTable, moved } from "./newsroom-articles.ts";
import {
  type Article,
  type Author,
  authorsOf,
  authorTable,
  isActive,
  itemsOf,
  itemTable,
  minuteMs,
  now,
  topicsOf,
  topicTable,
} from "./newsroom-sources.ts";

const viewsFrom = "2024-12-02";
const appLaunched = Date.parse("2025-02-10");

/**
 * A newsroom in three languages: articles with revisions, agencies that send, correct and kill, embargoes, topics that
 * were merged, people of the same name, pictures without words, and views that fade within days or never.
 */
export function newsroom(seed: number): CorpusDatabase {
  const random = new Random(seed * 151 + 109);
  const authors = authorsOf(random);
  const topics = topicsOf(random);
  const items = itemsOf(random);
  const articles = articlesOf(random, { authors, topics, items });
  const corrections = correctionsOf(random, articles, authors);
  return {
    name: "newsroom",
    now,
    tables: [
      authorTable(random, authors),
      topicTable(random, topics),
      articleTable(articles),
      revisionTable(random, articles),
      correctionTable(corrections),
      itemTable(items),
      viewTable(random, articles),
    ],
  };
}

type Correction = {
  article: Article;
  kind: "correction" | "clarification" | "retraction";
  at: number;
  text: string;
  by: string | null;
  approved: Author;
  isVisible: boolean;
};

/** They are made in the new system only; each is a revision, too. What is taken back is gone from the site. */
function correctionsOf(
  random: Random,
  articles: readonly Article[],
  authors: readonly Author[],
): Correction[] {
  const corrections: Correction[] = [];
  for (const article of articles) {
    const { published, status, created } = article;
    if (published === null || created < moved) continue;
    if (status === "withdrawn" && article.deleted !== null) {
      const approved = random.pick(
        authors.filter((author) => author.kind === "staff" && isActive(author, article.deleted ?? now)),
      );
      const text = random.pick([
        "Zurückgezogen nach rechtlicher Prüfung.",
        "Retracted: the source withdrew its statement.",
      ]);
      corrections.push({
        article,
        kind: "retraction",
        at: article.deleted,
        text,
        by: "legal",
        approved,
        isVisible: true,
      });
      continue;
    }
    for (let chance = 0.09; random.chance(chance); chance = 0.08) {
      const from = Math.max(published, article.updated);
      const at = from + Math.round(heavyTailed(random, 600, 1.2)) * minuteMs;
      if (at >= now) break;
      const approved = random.pick(
        authors.filter((author) => author.kind === "staff" && isActive(author, at)),
      );
      const kind = weighted(random, { correction: 80, clarification: 20 });
      const words = Math.max(0, article.words + (article.words > 0 ? random.between(-3, 25) : 0));
      const text = correctionText(random);
      corrections.push({
        article,
        kind,
        at,
        text,
        by: maybe(random, 0.8, () => weighted(random, { reader: 60, author: 25, legal: 8, agency: 7 })),
        approved,
        isVisible: kind === "clarification" || random.chance(0.85),
      });
      article.revisions.push({ at, by: approved, words, note: kind, isMinor: false });
      article.words = words;
      article.updated = at;
    }
  }
  return corrections.sort((a, b) => a.at - b.at);
}

const correctionText = (random: Random): string =>
  random.pick([
    `In einer früheren Version stand, es seien ${random.between(2, 900)}. Richtig ist ${random.between(2, 900)}.`,
    `An earlier version misspelled the name of ${firstName(random)} ${lastName(random)}.`,
    `La votation a lieu le ${random.between(2, 28)} juin, et non en mai.`,
    "Bildlegende korrigiert.",
    `Nicht ${random.between(2, 40)} Mio., sondern ${random.between(2, 40)} Mrd. Franken.`,
  ]);

function correctionTable(corrections: readonly Correction[]): CorpusTable {
  const rows = corrections.map(
    ({ article, kind, at, text, by, approved, isVisible }, index): Row => [
      String(index + 301),
      String(article.id),
      kind,
      timeText(at),
      text,
      by,
      String(approved.id),
      isVisible ? "true" : "false",
    ],
  );
  const columns = columnsOf({
    correction_id: "integer key",
    article_id: "integer references articles.article_id",
    kind: "text",
    issued_at: "time",
    note: "text",
    requested_by: "text",
    approved_by: "integer references authors.author_id",
    is_visible: "other",
  });
  return { name: "corrections", columns, rows };
}

/** The imported ones have but one, which nobody saved. */
function revisionTable(random: Random, articles: readonly Article[]): CorpusTable {
  const all = articles.flatMap((article) =>
    article.revisions.map((revision, index) => ({
      article,
      revision,
      before: article.revisions[index - 1]?.words ?? 0,
      number: index + 1,
    })),
  );
  all.sort((a, b) => a.revision.at - b.revision.at || a.article.id - b.article.id || a.number - b.number);
  const rows = all.map(({ article, revision, before, number }, index): Row => {
    const change = (revision.words - before) * 6 + (revision.words > 0 ? random.between(-9, 9) : 0);
    return [
      String(600_001 + index),
      String(article.id),
      String(number),
      timeText(revision.at),
      revision.by ? String(revision.by.id) : null,
      String(revision.words),
      String(change),
      revision.note,
      revision.isMinor ? "true" : "false",
    ];
  });
  const columns = columnsOf({
    revision_id: "integer key",
    article_id: "integer references articles.article_id",
    revision_no: "integer",
    saved_at: "time",
    saved_by: "integer references authors.author_id",
    word_count: "integer",
    chars_changed: "integer",
    change_note: "text",
    is_minor: "other",
  });
  return { name: "revisions", columns, rows, loads: { childrenOf: "article_id" } };
}

/** Most are read for days, guides for years. Days with fewer than 40 views are not kept. */
function viewTable(random: Random, articles: readonly Article[]): CorpusTable {
  const rows: Row[] = [];
  const read = articles.filter(({ published }) => published !== null);
  const appeal = new Map(
    read.map((article) => [article, heavyTailed(random, article.kind === "guide" ? 60 : 900, 1)]),
  );
  for (const day of daysFrom(viewsFrom, Date.parse(dateText(now)) - dayMs))
    for (const article of read) {
      const out = Math.floor((article.published ?? 0) / dayMs) * dayMs;
      const age = (day - out) / dayMs;
      if (age < 0 || (article.deleted !== null && article.deleted <= day + dayMs)) continue;
      const fades = article.kind === "guide" ? 1 : (age + 1) ** -1.45;
      const expected = (appeal.get(article) ?? 0) * fades * (isWeekend(day) ? 0.75 : 1);
      if (expected < 5) continue;
      const views = Math.round(expected * Math.exp(normal(random) * 0.25));
      if (views < 40) continue;
      const visitors = Math.max(1, Math.round(views * (0.72 + random.next() * 0.2)));
      rows.push([
        dateText(day),
        String(article.id),
        String(views),
        String(visitors),
        day < appLaunched ? null : String(Math.round(views * (0.05 + random.next() * 0.2))),
        heavyTailed(random, 20 + Math.sqrt(article.words) * 3, 0.3).toFixed(1),
        article.access === "premium" ? String(poisson(random, views / 400)) : null,
      ]);
    }
  const columns = columnsOf({
    day: "date",
    article_id: "integer in articles.article_id",
    views: "integer",
    visitors: "integer",
    app_views: "integer",
    avg_seconds: "decimal",
    subscriptions_sold: "integer",
  });
  return {
    name: "page_views_daily",
    columns,
    rows,
    loads: { column: "day", period: "day", areAtOnce: true },
  };
}
