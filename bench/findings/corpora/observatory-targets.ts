import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { digits, heavyTailed, letters, maybe, normal, weighted } from "../draw.ts";

/** What the telescope is pointed at: what stands still has coordinates, what moves has elements. */

type Kind = "STAR" | "GALAXY" | "QSO" | "CLUSTER" | "SN" | "STD" | "MOVING" | "FIELD";

export type Target = {
  id: number;
  name: string;
  kind: Kind;
  /** In degrees; what moves has none. */
  ra: number | null;
  dec: number | null;
  magnitude: number | null;
  spectral: string | null;
  parent: Target | null;
};

const classes = { O: 1, B: 6, A: 12, F: 18, G: 24, K: 26, M: 16, WC: 1, DA: 3 };

const degrees = (value: number) => Math.round(value * 1e6) / 1e6;

function coordinateName(ra: number, dec: number): string {
  const hours = Math.floor(ra / 15);
  const minutes = Math.floor((ra / 15 - hours) * 60);
  const pad = (value: number) => String(value).padStart(2, "0");
  const south = Math.abs(dec);
  return `J${pad(hours)}${pad(minutes)}${dec < 0 ? "-" : "+"}${pad(Math.floor(south))}${pad(Math.floor((south % 1) * 60))}`;
}

function nameOf(random: Random, kind: Kind, ra: number, dec: number): string {
  if (kind === "MOVING")
    return random.chance(0.4)
      ? `C/${random.between(2019, 2025)} ${letters(random, 1)}${random.between(1, 6)}`
      : random.chance(0.5)
        ? `(${random.between(433, 620_000)}) ${random.between(1975, 2022)} ${letters(random, 2)}${random.between(1, 300)}`
        : `${random.between(2012, 2025)} ${letters(random, 2)}${random.between(1, 99)}`;
  if (kind === "SN") return `SN ${random.between(2021, 2025)}${letters(random, 3).toLowerCase()}`;
  if (kind === "QSO") return `QSO ${coordinateName(ra, dec)}`;
  if (kind === "FIELD") return `Blank field ${coordinateName(ra, dec)}`;
  if (kind === "CLUSTER") return `NGC ${random.between(104, 7099)}`;
  if (kind === "GALAXY")
    return random.chance(0.5)
      ? `NGC ${random.between(13, 7840)}`
      : `ESO ${random.between(10, 605)}-G${digits(random, 3)}`;
  return random.pick([
    `HD ${random.between(1200, 359_000)}`,
    `Gaia DR3 ${random.between(1, 6)}${digits(random, 18)}`,
    `TIC ${random.between(1_000_000, 470_000_000)}`,
    `V${random.between(335, 2500)} ${random.pick(["Sgr", "Cen", "Car", "Sco", "Vel", "Pup", "Aql"])}`,
    `2MASS ${coordinateName(ra, dec)}`,
  ]);
}

export function targetsOf(random: Random): Target[] {
  const targets: Target[] = [];
  const taken = new Set<string>();
  for (let id = 40_001; id <= 41_450; id++) {
    const kind = weighted(random, {
      STAR: 48,
      GALAXY: 17,
      QSO: 9,
      CLUSTER: 4,
      SN: 8,
      STD: 3,
      MOVING: 9,
      FIELD: 1.2,
    });
    // Companions are listed with the star that they belong to.
    const before = targets.at(-1);
    if (
      before?.kind === "STAR" &&
      before.parent === null &&
      !/ B$/.test(before.name) &&
      random.chance(0.06)
    ) {
      targets.push({
        ...before,
        id,
        name: `${before.name} B`,
        ra: degrees((before.ra ?? 0) + random.next() * 0.004),
        dec: degrees((before.dec ?? 0) + normal(random) * 0.001),
        magnitude: before.magnitude === null ? null : before.magnitude + random.next() * 4,
        spectral: maybe(random, 0.5, () => `M${random.between(0, 6)}V`),
        parent: before,
      });
      continue;
    }
    const ra = degrees(random.next() * 359.98);
    const dec = degrees((Math.asin(random.next() * 1.57 - 0.999) * 180) / Math.PI);
    const name = nameOf(random, kind, ra, dec);
    if (taken.has(name)) continue;
    taken.add(name);
    const spectral = weighted(random, classes);
    const type =
      spectral === "DA" || spectral === "WC"
        ? `${spectral}${random.between(4, 9)}`
        : `${spectral}${random.between(0, 9)}${random.pick(["V", "V", "V", "IV", "III", "III", "Ib", "V:", "Ve", "IIIp"])}`;
    const usual = {
      STAR: 12.4,
      GALAXY: 14.2,
      QSO: 18.3,
      CLUSTER: 7.8,
      SN: 16.9,
      STD: 11.2,
      MOVING: 18.8,
      FIELD: 0,
    };
    const spread = { STAR: 3, GALAXY: 1.6, QSO: 1.1, CLUSTER: 1.7, SN: 1.5, STD: 1.4, MOVING: 1.6, FIELD: 0 };
    targets.push({
      id,
      name,
      kind,
      ra: kind === "MOVING" ? null : ra,
      dec: kind === "MOVING" ? null : dec,
      // The Sun's neighbors are brighter than 0: so few have a minus.
      magnitude:
        kind === "FIELD" || random.chance(kind === "GALAXY" ? 0.15 : 0.03)
          ? null
          : id % 487 === 3 && kind === "STAR"
            ? -random.next() * 1.4
            : usual[kind] + normal(random) * spread[kind],
      spectral: kind === "STD" || (kind === "STAR" && random.chance(0.7)) ? type : null,
      parent: null,
    });
  }
  return targets;
}

/** `05:34:31.94` and `-05:23:28.1`. */
function sexagesimal(value: number, places: number, isSigned: boolean): string {
  const unit = 10 ** places;
  const total = Math.floor(Math.abs(value) * 3600 * unit);
  const pad = (part: number) => String(part).padStart(2, "0");
  const seconds = total / unit;
  const text = `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${(seconds % 60).toFixed(places).padStart(3 + places, "0")}`;
  return isSigned ? `${value < 0 ? "-" : "+"}${text}` : text;
}

/** Galaxies go away, but for the near ones; only what is near enough moves across the sky. */
export function targetTable(random: Random, targets: readonly Target[]): CorpusTable {
  const rows = targets.map(({ id, name, kind, ra, dec, magnitude, spectral, parent }): Row => {
    const isNear = kind === "STAR" || kind === "STD";
    const shift =
      kind === "QSO"
        ? Math.max(0.08, heavyTailed(random, 1.4, 0.5))
        : kind === "GALAXY"
          ? random.chance(0.025)
            ? -random.next() * 0.001
            : heavyTailed(random, 0.011, 0.9)
          : kind === "SN" && random.chance(0.8)
            ? heavyTailed(random, 0.04, 0.6)
            : null;
    const motion = () => (normal(random) * heavyTailed(random, 14, 1.2)).toFixed(2);
    const hasMotion = isNear && random.chance(0.9);
    return [
      String(id),
      name,
      kind,
      ra === null ? null : sexagesimal(ra / 15, 2, false),
      dec === null ? null : sexagesimal(dec, 1, true),
      ra === null ? null : ra.toFixed(6),
      dec === null ? null : dec.toFixed(6),
      ra === null ? null : "2000.0",
      hasMotion ? motion() : null,
      hasMotion ? motion() : null,
      magnitude === null ? null : magnitude.toFixed(2),
      shift === null ? null : shift.toFixed(5),
      spectral,
      // For what moves: its distance from the Sun when it is nearest, and how long its way is.
      kind === "MOVING" ? Math.max(0.4, heavyTailed(random, 2.1, 0.4)).toFixed(3) : null,
      // Above 1, it does not come back.
      kind === "MOVING"
        ? (name.startsWith("C/") ? 1 + normal(random) * 0.003 : random.next() * 0.6).toFixed(4)
        : null,
      parent === null ? null : String(parent.id),
    ];
  });
  const columns = columnsOf({
    TARGID: "integer key",
    OBJECT: "text",
    OBJTYPE: "text",
    RA: "text",
    DECL: "text",
    RADEG: "float",
    DECDEG: "float",
    EQUINOX: "decimal",
    PMRA: "float",
    PMDEC: "float",
    VMAG: "float",
    REDSHIFT: "float",
    SPTYPE: "text",
    PERIHEL: "float",
    ECCENTR: "float",
    COMPOF: "integer references TARGET.TARGID",
  });
  return { name: "TARGET", columns, rows };
}
