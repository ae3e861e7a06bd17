import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  mostlyFirst,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import { firstName, lastName } from "./names.ts";

const now = Date.parse("2025-11-02T04:00:00Z");

/** Music: dates of release that are known by the day, the month, or the year only, and very long pieces. */
export function streaming(seed: number): CorpusDatabase {
  const random = new Random(seed * 37 + 19);
  const artists = artistsOf(random);
  const tracks = tracksOf(random, artists.rows);
  return { name: "streaming", now, tables: [artists, tracks, playsOf(random, tracks.rows)] };
}

function artistsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 380 }, (_, index): Row => {
    const isBand = random.chance(0.5);
    return [
      uuid(random),
      isBand
        ? `${random.pick(["The", "Los", "Die", "Young"])} ${lastName(random)}s`
        : `${firstName(random)} ${lastName(random)}`,
      isBand ? "band" : "person",
      mostlyFirst(random, ["US", "GB", "DE", "FR", "SE", "BR", "KR", "IS", "MT"], 2),
      maybe(random, 0.6, () => String(random.between(1955, 2022))),
      String(Math.round(heavyTailed(random, 3000, 2))),
      index % 190 === 7 ? "true" : "false",
    ];
  });
  const columns = columnsOf({
    artist_id: "uuid",
    name: "text",
    kind: "text",
    country: "text",
    active_since: "integer",
    followers: "integer",
    is_hidden: "other",
  });
  return { name: "artists", columns, rows };
}

function tracksOf(random: Random, artists: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 3400 }, (): Row => {
    const artist = mostlyFirst(random, artists, 1.4);
    const date = `${random.between(1968, 2025)}-${String(random.between(1, 12)).padStart(2, "0")}-${String(random.between(1, 28)).padStart(2, "0")}`;
    // Somebody wrote down a title only once, live versions apart.
    const words = ["Night", "Fire", "Home", "Dance", "Rain", "Blue", "Run", "Gold", "Again", "Ghost"];
    return [
      uuid(random),
      artist[0] ?? null,
      `${random.pick(words)} ${random.pick(words)}${random.chance(0.05) ? " (Live)" : ""}`,
      maybe(random, 0.96, () => `${artist[3]}${letters(random, 3)}${digits(random, 7)}`),
      String(
        Math.round(random.chance(0.004) ? heavyTailed(random, 2400, 0.3) : heavyTailed(random, 208, 0.25)),
      ),
      date.slice(0, Number(weighted(random, { "10": 86, "7": 3, "4": 11 }))),
      weighted(random, { pop: 35, rock: 25, electronic: 18, jazz: 10, classical: 9, polka: 0.4, folk: 2.6 }),
      random.chance(0.12) ? "true" : "false",
      (-14 + heavyTailed(random, 5, 0.3)).toFixed(1),
    ];
  });
  const columns = columnsOf({
    track_id: "uuid",
    artist_id: "uuid in artists.artist_id",
    title: "text",
    isrc: "text",
    duration_s: "integer",
    released: "text",
    genre: "text",
    explicit: "other",
    loudness_db: "float",
  });
  return { name: "tracks", columns, rows };
}

function playsOf(random: Random, tracks: readonly Row[]): CorpusTable {
  const listeners = Array.from({ length: 600 }, () => random.between(10_000, 99_999));
  const rows = Array.from({ length: 6500 }, (_, index): Row => {
    const track = mostlyFirst(random, tracks, 2.2);
    const full = Number(track[4]) * 1000;
    const played = random.chance(0.6) ? full : Math.round(full * random.next());
    const at = now - (1 - index / 6500) * 30 * dayMs + random.next() * 3_600_000;
    return [
      String(mostlyFirst(random, listeners, 1.6)),
      track[0] ?? null,
      timeText(at),
      String(played),
      played < 30_000 ? "skip" : "play",
      weighted(random, { phone: 62, desktop: 25, speaker: 12.4, watch: 0.5, fridge: 0.1 }),
      weighted(random, { "8.14.2": 60, "8.14.1": 25, "8.13.0": 12, "7.9.9": 2.7, "8.15.0-rc1": 0.3 }),
      maybe(random, 0.8, () => weighted(random, { playlist: 60, album: 30, radio: 10 })),
    ];
  });
  const columns = columnsOf({
    listener: "integer",
    track_id: "uuid in tracks.track_id",
    started_at: "time",
    ms_played: "integer",
    outcome: "text",
    device: "text",
    app_version: "text",
    context: "text",
  });
  return { name: "plays", columns, rows, loads: { column: "started_at", period: "day" } };
}
