import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, letters, normal, timeText, weighted } from "../draw.ts";
import { hourMs } from "./calendar.ts";
import type { Night } from "./observatory-nights.ts";
import { type Proposal, today } from "./observatory-people.ts";
import type { Target } from "./observatory-targets.ts";

/** What was exposed this year; older frames are in the archive. */

const framesFrom = Date.parse("2025-01-06");

type Code = "HARCAM" | "LOSPEC" | "NIRI2" | "FIBRES";

const optics: Record<Code, { filters: string[]; grisms: string[]; size: [number, number]; prefix: string }> =
  {
    HARCAM: { filters: ["r", "g", "i", "z", "u", "Halpha"], grisms: [], size: [4112, 4096], prefix: "HC" },
    LOSPEC: { filters: [], grisms: ["G600R", "G300B", "G1200"], size: [2148, 1032], prefix: "LS" },
    NIRI2: { filters: ["Ks", "J", "H", "Y"], grisms: [], size: [2048, 2048], prefix: "NI" },
    FIBRES: { filters: [], grisms: [], size: [4200, 4320], prefix: "FB" },
  };
/** The new spectrograph saw its first light in March. */
const firstLight = Date.parse("2025-03-10");
/** Since then the camera's controller tells kelvin. */
const newController = Date.parse("2025-05-19");

export function instrumentTable(): CorpusTable {
  const columns = columnsOf({
    INSTRUME: "text key",
    LONGNAME: "text",
    FROMDATE: "date",
    TODATE: "date",
    DETECTOR: "text",
    PIXSCALE: "decimal",
    FIELDMIN: "decimal",
  });
  const rows: Row[] = [
    ["OLDCAM", "Direct camera", "1998-06-01", "2022-11-20", "Tek 2K", "0.2380", "8.12"],
    ["LOSPEC", "Low-resolution spectrograph", "2006-02-11", null, "e2v 2K x 1K", "0.1900", null],
    ["NIRI1", "Infrared imager", "2003-09-15", "2014-04-30", "NICMOS3", "0.4500", "1.92"],
    ["NIRI2", "Infrared imager and polarimeter", "2015-01-20", null, "HAWAII-2", "0.2000", "6.83"],
    ["HARCAM", "Harrow wide camera", "2022-11-21", null, "e2v 4K", "0.2740", "18.78"],
    ["FIBRES", "Fiber-fed echelle spectrograph", "2025-03-10", null, "STA1600-like 4K", null, null],
  ];
  return { name: "INSTRUM", columns, rows };
}

const siderealAt = (at: number) =>
  (280.46061837 + (360.98564737 * (at - Date.UTC(2000, 0, 1, 12))) / dayMs - 70.73) % 360;

/** How far up it is: 1 overhead, and none below 20 degrees. */
function airmassAt(at: number, ra: number, dec: number): number | null {
  const rad = Math.PI / 180;
  const angle = (siderealAt(at) - ra) * rad;
  const sine =
    Math.sin(-29.26 * rad) * Math.sin(dec * rad) +
    Math.cos(-29.26 * rad) * Math.cos(dec * rad) * Math.cos(angle);
  return sine < 0.42 ? null : 1 / sine;
}

type Frame = {
  night: Night;
  at: number;
  code: Code;
  kind: "OBJECT" | "STD" | "BIAS" | "FLAT" | "ARC" | "DARK";
  target: Target | null;
  proposal: Proposal | null;
  filter: string | null;
  grism: string | null;
  seconds: number;
  binning: 1 | 2 | 4;
  pointing: [ra: number, dec: number] | null;
  airmass: number | null;
};

export function framesOf(
  random: Random,
  nights: readonly Night[],
  targets: readonly Target[],
  proposals: readonly Proposal[],
): Frame[] {
  const frames: Frame[] = [];
  const standards = targets.filter(({ kind }) => kind === "STD");
  const objects = targets.filter(({ kind }) => kind !== "STD");
  for (const night of nights.filter(({ day, status }) => day >= framesFrom && status === "OPEN")) {
    const able = proposals.filter(
      ({ given, semester, submitted }) =>
        given > 0 && semester.from <= night.day && semester.to > night.day && submitted < night.day,
    );
    if (night.observed < 15 || able.length === 0) continue;
    const code: Code = weighted(random, {
      HARCAM: 44,
      LOSPEC: 30,
      NIRI2: 14,
      FIBRES: night.day >= firstLight ? 26 : 0,
    });
    const { filters, grisms } = optics[code];
    const binning =
      code === "HARCAM" ? random.pick([1, 1, 2] as const) : code === "LOSPEC" && random.chance(0.1) ? 2 : 1;
    const base = {
      night,
      code,
      target: null,
      proposal: null,
      filter: null,
      grism: null,
      pointing: null,
      airmass: null,
    };
    let at = night.sunset - random.between(80, 130) * 60_000;
    const calibrate = (kind: Frame["kind"], seconds: number, count: number, more: Partial<Frame> = {}) => {
      for (let done = 0; done < count; done++) {
        frames.push({ ...base, at, kind, seconds, binning, ...more });
        at += (seconds + random.between(22, 61)) * 1000;
      }
    };
    if (code === "NIRI2") calibrate("DARK", 10, random.between(2, 4));
    else calibrate("BIAS", 0, random.between(3, 5));
    const lit = grisms[0] ?? null;
    if (code === "LOSPEC" || code === "FIBRES")
      calibrate("ARC", code === "FIBRES" ? 12 : 3, 2, { grism: lit });
    calibrate("FLAT", random.between(2, 9), random.between(2, 4), { filter: filters[0] ?? null, grism: lit });
    at = night.sunset + 57 * 60_000 + random.between(0, 900) * 1000;
    const dawn = night.sunrise - 66 * 60_000;
    const end = Math.min(dawn, at + (night.observed / 10 - 0.4) * hourMs);
    while (at < end) {
      const isStandard = random.chance(code === "FIBRES" ? 0.03 : 0.1);
      const target = random.pick(isStandard ? standards : objects);
      // What moves is followed where it is in that hour.
      const ra = target.ra ?? (siderealAt(at) + random.between(-30, 30) + 360) % 360;
      const dec = target.dec ?? random.between(-40, 10);
      const airmass = airmassAt(at, ra, dec);
      const isTooFaint = code === "FIBRES" && (target.kind !== "STAR" || (target.magnitude ?? 20) > 14);
      if (airmass === null || (isTooFaint && !isStandard)) {
        at += 20_000;
        continue;
      }
      const magnitude = target.magnitude ?? 17;
      const needed = Math.min(
        1800,
        0.5 * 10 ** (0.24 * (magnitude - 6)) * (grisms.length > 0 || code === "FIBRES" ? 6 : 1),
      );
      const seconds = code === "NIRI2" ? 10 : Math.max(0.5, niceOf(needed));
      const grism = grisms.length === 0 ? null : random.chance(0.7) ? lit : random.pick(grisms);
      const proposal = isStandard ? null : random.pick(able);
      const filter = filters.length === 0 ? null : weighted(random, weightsOf(filters));
      const repeats = Math.min(random.between(1, code === "FIBRES" ? 2 : 5), Math.ceil((end - at) / 600_000));
      for (let done = 0; done < Math.max(1, repeats) && at + seconds * 1000 < dawn; done++) {
        frames.push({
          ...base,
          at,
          kind: isStandard ? "STD" : "OBJECT",
          target,
          proposal,
          filter,
          grism,
          seconds,
          binning,
          // Each is taken some seconds of arc away from the one before.
          pointing: [(ra + normal(random) * 0.003 + 360) % 360, dec + normal(random) * 0.003],
          airmass: airmassAt(at, ra, dec) ?? airmass,
        });
        at += (seconds + random.between(34, 95)) * 1000;
      }
      if (grism && at < dawn && random.chance(0.4)) calibrate("ARC", 3, 1, { grism });
      at += heavyTailed(random, 1220, 0.6) * 1000;
    }
  }
  return frames.sort((a, b) => a.at - b.at);
}

const weightsOf = (filters: readonly string[]) =>
  Object.fromEntries(filters.map((filter, index) => [filter, 12 / (index + 1) ** 1.4]));

const nice = [0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800];
const niceOf = (seconds: number) => nice.find((each) => each >= seconds) ?? 1800;

/** Only an image tells the seeing; what calibrates belongs to nobody, and is public at once. */
export function exposureTable(random: Random, frames: readonly Frame[]): CorpusTable {
  let id = 2_214_806;
  const rows = frames.map((frame): Row => {
    const { night, at, code, kind, target, proposal, filter, grism, seconds, binning, pointing, airmass } =
      frame;
    const { size, prefix } = optics[code];
    const isOnSky = kind === "OBJECT" || kind === "STD";
    const isImage = code === "HARCAM" || code === "NIRI2";
    id += random.chance(0.01) ? random.between(2, 9) : 1;
    const coadds = code === "NIRI2" ? (isOnSky ? random.pick([3, 6, 6, 12]) : 1) : null;
    const seeing = night.seeing * (airmass ?? 1) ** 0.6 * (code === "NIRI2" ? 0.85 : 1);
    const level = {
      BIAS: code === "HARCAM" ? 1004 : 621,
      DARK: 42,
      FLAT: 24_300,
      ARC: 760,
      OBJECT: 980 + seconds * (isImage ? 6 : 0.4) * (1 + night.moon / 60),
      STD: 1150,
    }[kind];
    const noise = kind === "BIAS" ? 0.001 : kind === "FLAT" ? 0.2 : 0.12;
    const kelvin = code === "NIRI2" ? 77 : code === "HARCAM" && at >= newController ? 163 : null;
    const quality =
      kind === "OBJECT"
        ? weighted(random, seeing > 1.5 ? { A: 2, B: 6, C: 5, X: 0.3 } : { A: 88, B: 9, C: 2, X: 1 })
        : null;
    return [
      String(id),
      `${prefix}.${timeText(at).slice(0, 19).replace(/[-:]/g, "").replace(" ", "T")}.fits`,
      dateText(night.day),
      timeText(at),
      (40_587 + at / dayMs).toFixed(6),
      code,
      kind,
      target === null ? null : String(target.id),
      proposal?.id ?? null,
      filter,
      grism,
      seconds.toFixed(3),
      coadds === null ? null : String(coadds),
      pointing === null ? null : pointing[0].toFixed(5),
      pointing === null ? null : pointing[1].toFixed(5),
      airmass === null ? null : airmass.toFixed(3),
      isOnSky && isImage ? Math.max(0.4, heavyTailed(random, seeing, 0.08)).toFixed(2) : null,
      ((kelvin ?? (code === "HARCAM" ? -110 : -118)) + normal(random) * 0.12).toFixed(2),
      `${binning}x${binning}`,
      String(size[0] / binning),
      String(size[1] / binning),
      (level * Math.exp(normal(random) * noise)).toFixed(1),
      quality,
      isOnSky && proposal ? dateText(publicOn(night.day, proposal.months)) : null,
      kind === "OBJECT" && random.chance(0.015)
        ? random.pick(["clouds", "satellite trail", "trailed", "wrong field!", "test"])
        : null,
      `${letters(random, 3)}${((id * 7919) % 1_000_003).toString(16).toUpperCase().padStart(5, "0")}`,
    ];
  });
  const columns = columnsOf({
    EXPID: "integer",
    FILENAME: "text",
    NIGHT: "date references NIGHTLOG.NIGHT",
    DATEOBS: "time",
    MJDOBS: "decimal",
    INSTRUME: "text in INSTRUM.INSTRUME",
    OBSTYPE: "text",
    TARGID: "integer in TARGET.TARGID",
    PROPID: "text in PROPOSAL.PROPID",
    FILTER: "text",
    GRISM: "text",
    EXPTIME: "decimal",
    NDIT: "integer",
    POINTRA: "float",
    POINTDEC: "float",
    AIRMASS: "float",
    FWHM: "float",
    CCDTEMP: "float",
    BINNING: "text",
    NAXIS1: "integer",
    NAXIS2: "integer",
    MEDCNT: "float",
    QCGRADE: "text",
    PUBLIC: "date",
    OBSNOTE: "text",
    CHKSUM: "text",
  });
  return { name: "EXPOSURE", columns, rows, loads: { column: "NIGHT", period: "week" } };
}

function publicOn(day: number, months: number): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(last, date.getUTCDate()));
}

/** The journal, the year, the volume and the page make the code; what is only submitted has none of these. */
export function publicationTable(random: Random, proposals: readonly Proposal[]): CorpusTable {
  const rows: Row[] = [];
  let id = 700;
  for (const { id: proposal, status, pi, semester } of proposals) {
    const isDone = status === "Completed";
    if ((!isDone && status !== "Terminated") || !random.chance(isDone ? 0.85 : 0.2)) continue;
    for (let count = random.chance(0.2) ? random.between(2, 4) : 1; count > 0; count--) {
      const day = semester.to + Math.round(heavyTailed(random, 330, 0.5)) * dayMs;
      if (day >= today) continue;
      const year = new Date(day).getUTCFullYear();
      const [journal, volume, doi] = random.pick([
        ["A&A", 645 + (year - 2021) * 12 + random.between(0, 11), "10.1051/0004-6361/"],
        ["A&A", 645 + (year - 2021) * 12 + random.between(0, 11), "10.1051/0004-6361/"],
        ["MNRAS", 500 + (year - 2021) * 7 + random.between(0, 6), "10.1093/mnras/st"],
        ["ApJ", 906 + (year - 2021) * 18 + random.between(0, 15), "10.3847/1538-4357/a"],
        ["AJ", 161 + (year - 2021) * 2, "10.3847/1538-3881/a"],
        ["Icar", 353 + (year - 2021) * 15, "10.1016/j.icarus."],
        ["Natur", 589 + (year - 2021) * 10, "10.1038/s41586-"],
      ] as [string, number, string][]);
      const page = random.between(12, 9870);
      const initial = pi.surname.normalize("NFD").charAt(0).toUpperCase();
      const isOut = day < today - 60 * dayMs;
      const code = `${year}${journal.padEnd(5, ".")}${String(volume).padStart(4, ".")}.${String(page).padStart(4, ".")}${initial}`;
      rows.push([
        String(++id),
        isOut
          ? code
          : `${year}arXiv${String(year).slice(2)}${String(new Date(day).getUTCMonth() + 1).padStart(2, "0")}${String(10_000 + page)}${initial}`,
        isOut ? `${doi}${year}${random.between(10_000, 99_999)}` : null,
        proposal,
        String(pi.id),
        isOut ? journal : "arXiv",
        isOut ? String(volume) : null,
        dateText(day),
        isOut ? String(Math.round(heavyTailed(random, 2 + (today - day) / dayMs / 90, 0.9))) : "0",
        random.chance(0.9) ? "Y" : "N",
      ]);
    }
  }
  const columns = columnsOf({
    PUBID: "integer key",
    BIBCODE: "text",
    DOI: "text",
    PROPID: "text references PROPOSAL.PROPID",
    FIRSTAUT: "integer in PERSON.PERSID",
    JOURNAL: "text",
    VOLUME: "integer",
    PUBDATE: "date",
    CITATION: "integer",
    ACKNOWL: "text",
  });
  return { name: "PUBLICAT", columns, rows };
}
