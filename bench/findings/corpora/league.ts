import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  mostlyFirst,
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { hourMs, poisson } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";

const now = Date.parse("2025-03-17T09:00:00Z");
const seasons = [2020, 2021, 2022, 2023, 2024];

/** Clubs, players, and matches of some seasons: a match that was broken off and decided in the office, and players on loan. */
export function league(seed: number): CorpusDatabase {
  const random = new Random(seed * 89 + 7);
  const clubs = clubsOf(random);
  const players = playersOf(random, clubs.rows);
  const [matches, lineups] = matchesOf(random, clubs.rows, players.rows);
  return {
    name: "league",
    now,
    tables: [
      clubs,
      players,
      matches,
      lineups,
      transfersOf(random, clubs.rows, players.rows),
      ...seasons.map((season) => standingsOf(season, matches.rows)),
    ],
  };
}

function clubsOf(random: Random): CorpusTable {
  const towns = new Set<string>();
  while (towns.size < 18)
    towns.add(
      `${random.pick(["Nord", "Stein", "Fair", "Oak", "Hart", "Lang", "Ips", "Clar"])}${random.pick(["burg", "ton", "ford", "haven", "stadt"])}`,
    );
  const rows = [...towns].map(
    (town, index): Row => [
      String(index + 1),
      `${random.pick(["FC", "SC", "Athletic", "United"])} ${town}`,
      `${town.slice(0, 2)}${town.slice(-1)}`.toUpperCase() + String.fromCharCode(65 + index),
      town,
      String(random.between(1888, 1972)),
      String(Math.round(heavyTailed(random, 22_000, 0.5) / 50) * 50),
    ],
  );
  const columns = columnsOf({
    id: "integer key",
    name: "text",
    short: "text",
    town: "text",
    founded: "integer",
    seats: "integer",
  });
  return { name: "clubs", columns, rows };
}

function playersOf(random: Random, clubs: readonly Row[]): CorpusTable {
  const rows = clubs.flatMap((club) =>
    Array.from({ length: 30 }, (_, index): Row => {
      const position = index < 3 ? "GK" : weighted(random, { DF: 36, MF: 38, FW: 26 });
      return [
        String((Number(club[0]) - 1) * 30 + index + 1001),
        club[0] ?? null,
        String(index < 11 ? index + 1 : index + 2),
        `${firstName(random)} ${lastName(random)}`,
        dateText(now - (17 + random.next() * 19) * 365.25 * dayMs),
        mostlyFirst(
          random,
          ["GER", "AUT", "POL", "FRA", "NED", "SWE", "BRA", "GHA", "JPN", "USA", "ISL"],
          2.4,
        ),
        position,
        String(Math.round((position === "GK" ? 190 : 182) + normal(random) * 6)),
        maybe(random, 0.97, () => String(Math.round(77 + normal(random) * 7))),
        weighted(random, { right: 70, left: 24, both: 6 }),
        maybe(random, 0.05, () => random.pick(clubs)[0] ?? ""),
      ];
    }),
  );
  const columns = columnsOf({
    id: "integer key",
    club_id: "integer in clubs.id",
    shirt: "integer",
    name: "text",
    born: "date",
    nation: "text",
    position: "text",
    height_cm: "integer",
    weight_kg: "integer",
    foot: "text",
    loaned_from: "integer",
  });
  return { name: "players", columns, rows };
}

function matchesOf(
  random: Random,
  clubs: readonly Row[],
  players: readonly Row[],
): [CorpusTable, CorpusTable] {
  const [matches, lineups]: [Row[], Row[]] = [[], []];
  const brokenOff = random.between(400, 800);
  for (const season of seasons)
    for (let round = 1; round <= 34; round++) {
      const day = Date.UTC(season, 7, 7) + (round - 1 + (round > 17 ? 4 : 0)) * 7 * dayMs;
      // The method of circles: each club meets each other one once in each half.
      const order = clubs.map((_, index) => (index === 0 ? 0 : 1 + ((index - 1 + round) % 17)));
      for (let pair = 0; pair < 9; pair++) {
        const one = clubs[order[pair] ?? 0];
        const other = clubs[order[17 - pair] ?? 0];
        const [home, away] = round > 17 === ((pair + round) % 2 === 0) ? [one, other] : [other, one];
        const kickoff = day + Number(weighted(random, { "15.5": 60, "18.5": 25, "20.5": 15 })) * hourMs;
        if (day > now) continue;
        const id = String(matches.length + 1);
        const isBroken = matches.length === brokenOff;
        const [first, second] = [
          [0.7, 0.55],
          [0.85, 0.65],
        ].map((means) => means.map((mean) => poisson(random, mean)));
        const sum = (side: number) => (first?.[side] ?? 0) + (second?.[side] ?? 0);
        const [goals, conceded] = [sum(0), sum(1)];
        const seats = Number(home?.[5]);
        matches.push([
          id,
          String(season),
          String(round),
          timeText(kickoff),
          home?.[0] ?? null,
          away?.[0] ?? null,
          isBroken ? null : String(first?.[0] ?? 0),
          isBroken ? null : String(first?.[1] ?? 0),
          isBroken ? "3" : String(goals),
          isBroken ? "0" : String(conceded),
          isBroken || goals > conceded ? "H" : goals < conceded ? "A" : "D",
          season === 2020 ? "0" : String(Math.min(seats, Math.round(seats * (0.55 + random.next() * 0.55)))),
          home?.[3] ?? null,
        ]);
        if (season < 2024) continue;
        for (const club of [home, away])
          for (const player of some(
            random,
            players.filter((row) => row[1] === club?.[0]),
            14,
          )) {
            const index = lineups.length % 14;
            lineups.push([
              id,
              player[0] ?? null,
              club?.[0] ?? null,
              index < 11 ? "start" : "bench",
              String(
                index < 11 ? (random.chance(0.75) ? 90 : random.between(46, 89)) : random.between(0, 40),
              ),
              String(poisson(random, 0.12)),
              weighted(random, { none: 84, yellow: 14.5, red: 1.5 }),
            ]);
          }
      }
    }
  return [
    {
      name: "matches",
      columns: columnsOf({
        id: "integer key",
        season: "integer",
        round: "integer",
        kickoff_at: "time",
        home_id: "integer in clubs.id",
        away_id: "integer in clubs.id",
        home_goals_half: "integer",
        away_goals_half: "integer",
        home_goals: "integer",
        away_goals: "integer",
        result: "text",
        attendance: "integer",
        town: "text",
      }),
      rows: matches,
    },
    {
      name: "lineups",
      columns: columnsOf({
        match_id: "integer in matches.id",
        player_id: "integer in players.id",
        club_id: "integer in clubs.id",
        role: "text",
        minutes: "integer",
        goals: "integer",
        card: "text",
      }),
      rows: lineups,
    },
  ];
}

/** Most are free, and a few cost more than all the others. */
function transfersOf(random: Random, clubs: readonly Row[], players: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 620 }, (_, index): Row => {
    const year = seasons[Math.floor((index / 620) * seasons.length)] ?? 2020;
    const day = random.chance(0.7)
      ? Date.UTC(year, 5, random.between(20, 90))
      : Date.UTC(year + 1, 0, random.between(2, 31));
    const kind = weighted(random, { free: 50, bought: 34, loan: 16 });
    const [from, to] = some(random, clubs, 2);
    return [
      String(index + 1),
      random.pick(players)[0] ?? null,
      random.chance(0.4) ? null : (from?.[0] ?? null),
      to?.[0] ?? null,
      dateText(Math.min(day, now)),
      kind,
      kind === "bought" ? String(Math.round(heavyTailed(random, 400_000, 1.6) / 1000) * 1000) : "0",
      kind === "loan" ? dateText(Date.UTC(year + 1, 5, 30)) : null,
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    player_id: "integer in players.id",
    from_club: "integer in clubs.id",
    to_club: "integer in clubs.id",
    signed_on: "date",
    kind: "text",
    fee: "integer",
    returns_on: "date",
  });
  return { name: "transfers", columns, rows };
}

/** After each round; what is there is computed from the matches. */
function standingsOf(season: number, matches: readonly Row[]): CorpusTable {
  const table = new Map<
    string,
    { played: number; won: number; drawn: number; lost: number; scored: number; against: number }
  >();
  const rows: Row[] = [];
  for (let round = 1; round <= 34; round++) {
    const those = matches.filter((row) => row[1] === String(season) && row[2] === String(round));
    for (const row of those)
      for (const [own, other, us, them] of [
        [row[4], row[5], row[8], row[9]],
        [row[5], row[4], row[9], row[8]],
      ]) {
        if (!own || !other || us === null || them === null) continue;
        const club = table.get(own) ?? { played: 0, won: 0, drawn: 0, lost: 0, scored: 0, against: 0 };
        const difference = Number(us) - Number(them);
        club.played++;
        club.won += Number(difference > 0);
        club.drawn += Number(difference === 0);
        club.lost += Number(difference < 0);
        club.scored += Number(us);
        club.against += Number(them);
        table.set(own, club);
      }
    if (those.length > 0)
      for (const [club, { played, won, drawn, lost, scored, against }] of table)
        rows.push([
          club,
          String(round),
          ...[played, won, drawn, lost, scored, against, scored - against, won * 3 + drawn].map(String),
        ]);
  }
  const columns = columnsOf({
    club_id: "integer in clubs.id",
    round: "integer",
    played: "integer",
    won: "integer",
    drawn: "integer",
    lost: "integer",
    goals: "integer",
    against: "integer",
    difference: "integer",
    points: "integer",
  });
  return { name: `standings_${season}`, columns, rows, isPart: season === 2022 };
}
