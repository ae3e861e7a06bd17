import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, maybe, mostlyFirst } from "../draw.ts";
import { weekdayOf } from "./calendar.ts";
import { plain } from "./names.ts";

/** When the practice is open, and who pays. */

export const now = Date.parse("2025-10-22T04:10:00Z");
export const today = Date.parse("2025-10-22");
/** The program before had a field for remarks instead of most of what there is now. */
const opened = Date.parse("2012-09-03");

const holidays = "01-01,01-06,05-01,08-15,10-12,11-01,12-06,12-08,12-25".split(",");
const fridays = ["2023-04-07", "2024-03-29", "2025-04-18"];
/** Closed on Sundays and on holidays; whatever happens then is an emergency. */
export const isClosed = (day: number): boolean =>
  weekdayOf(day) === 0 || holidays.includes(dateText(day).slice(5)) || fridays.includes(dateText(day));

export function nextOpen(moment: number): number {
  let day = Math.floor(moment / dayMs) * dayMs;
  while (isClosed(day)) day += dayMs;
  return day;
}

export type Owner = {
  id: number;
  nif: string | null;
  kind: "particular" | "protectora" | "criador" | "clinica";
  last: string;
  first: string | null;
  mobile: string | null;
  phone: string | null;
  email: string | null;
  street: string;
  postcode: string;
  town: string;
  since: number;
  until: number | null;
};

const lasts =
  "García,Martínez,López,Sánchez,Rodríguez,Fernández,Pérez,Gómez,Ruiz,Ibáñez,Muñoz,Nuñez,Peña,Castaño,Domènech,Llorens,Etxeberria,de la Fuente,del Río,Sáez,Ordóñez,Güell,Ait Ouali,Popescu,Schmidt,O'Connor,Zhang".split(
    ",",
  );
const firsts =
  "María,Carmen,José,Antonio,Lucía,Pablo,Begoña,Íñigo,Marta,Javier,Ángela,Núria,Jesús,Mª Dolores,José Luis,Sofía,Iván,Concepción,Yolanda,Andreu,Ümit,Xènia".split(
    ",",
  );
const streets =
  "C/ Mayor,Avda. de la Constitución,C/ San Vicente,Pza. del Ayuntamiento,C/ Poeta Querol,Camino de la Ermita,C/ Santa Bárbara,Partida El Plà,Urb. Los Pinos,C/ Nou d'Octubre".split(
    ",",
  );
/** Some towns have several postcodes, and two share one. */
const towns: [string, string][] = [
  ["46900", "Torrent"],
  ["46901", "Torrent"],
  ["46909", "Torrent"],
  ["46470", "Catarroja"],
  ["46470", "Massanassa"],
  ["46910", "Alfafar"],
  ["46230", "Alginet"],
  ["46460", "Silla"],
  ["46015", "València"],
  ["03001", "Alacant"],
];
const shelters = "Protectora Huellas,Asoc. Gatos de Silla,CES Colonias Torrent,Ajuntament de Catarroja".split(
  ",",
);
const clinics = "Clínica Vet. L'Horta,Hospital Vet. Túria,Exóticos Levante".split(",");

/** The letter follows from the number; who is no Spaniard has one that begins with X, Y or Z. */
function nif(random: Random): string {
  const letter = (number: number) => "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23];
  const isForeign = random.chance(0.09);
  const body = isForeign ? digits(random, 7) : String(random.between(4_000_000, 79_999_999)).padStart(8, "0");
  const head = isForeign ? random.between(0, 2) : 0;
  return isForeign
    ? `${"XYZ"[head]}${body}${letter(Number(`${head}${body}`))}`
    : `${body}${letter(Number(body))}`;
}

export function ownersOf(random: Random): Owner[] {
  const owners = Array.from({ length: 560 }, (_, index): Owner => {
    const kind =
      index < 4 ? "protectora" : index < 7 ? "clinica" : random.chance(0.012) ? "criador" : "particular";
    const isFirm = kind === "protectora" || kind === "clinica";
    const [postcode, town] = mostlyFirst(random, towns, 1.9);
    const first = mostlyFirst(random, firsts, 1.2);
    const name = mostlyFirst(random, lasts, 1.2);
    const second = random.chance(0.9) ? ` ${mostlyFirst(random, lasts, 1.1)}` : "";
    const since = nextOpen(
      opened + (isFirm ? 400 * dayMs : random.next() ** 0.75 * (today - opened - 3 * dayMs)),
    );
    // Patients of tourists come once.
    const isGuest = kind === "particular" && random.chance(0.03);
    return {
      id: 0,
      nif: isFirm
        ? `${random.pick([..."GP"])}46${digits(random, 6)}`
        : isGuest
          ? null
          : maybe(random, 0.86, () => nif(random)),
      kind,
      last: isFirm ? ((index < 4 ? shelters[index] : clinics[index - 4]) ?? "") : `${name}${second}`,
      first: isFirm ? null : first,
      mobile:
        isFirm && index % 2
          ? null
          : isGuest
            ? `+${random.pick(["44 7", "33 6", "49 15"])}${digits(random, 8)}`
            : `${random.pick(["6", "6", "7"])}${digits(random, 8)}`,
      phone: isFirm || random.chance(0.22) ? `96${digits(random, 7)}` : null,
      email: maybe(random, since < Date.UTC(2018, 4, 25) ? 0.35 : 0.82, () =>
        isFirm
          ? `info@${plain(index < 4 ? (shelters[index] ?? "") : (clinics[index - 4] ?? ""))}.example`
          : `${plain(first)}${plain(name).slice(0, random.between(3, 8))}${random.between(1, 99)}@${mostlyFirst(random, ["gmail.example", "hotmail.example", "yahoo.example", "telefonica.example"], 2)}`,
      ),
      street: `${mostlyFirst(random, streets, 1.1)}, ${random.chance(0.06) ? "s/n" : random.between(1, 140)}${random.chance(0.5) ? `, ${random.between(1, 7)}º` : ""}`,
      postcode,
      town,
      since,
      until: isFirm ? null : maybe(random, 0.08, () => nextOpen(since + random.next() * (today - since))),
    };
  }).sort((a, b) => a.since - b.since);
  for (const [index, owner] of owners.entries()) owner.id = index + 1 + (index > 300 ? 9000 : 0);
  // Couples come with an animal each, and give one number.
  for (let pair = 40; pair < owners.length; pair += 70) {
    const [one, other] = [owners[pair], owners[pair + 1]];
    if (one?.kind !== "particular" || other?.kind !== "particular") continue;
    Object.assign(other, {
      mobile: one.mobile,
      phone: one.phone,
      street: one.street,
      postcode: one.postcode,
      town: one.town,
    });
  }
  return owners;
}

export function ownerTable(owners: readonly Owner[]): CorpusTable {
  const rows = owners.map(
    (owner): Row => [
      String(owner.id),
      owner.kind,
      owner.nif,
      owner.last,
      owner.first,
      owner.mobile,
      owner.phone,
      owner.email,
      owner.street,
      owner.postcode,
      owner.town,
      dateText(owner.since),
      owner.until === null ? null : dateText(owner.until),
      owner.until === null || owner.until > today ? "S" : "N",
    ],
  );
  const columns = columnsOf({
    IdPropietario: "integer key",
    Tipo: "text",
    NIF: "text",
    Apellidos: "text",
    Nombre: "text",
    Movil: "text",
    TelefonoFijo: "text",
    Email: "text",
    Direccion: "text",
    CP: "text",
    Poblacion: "text",
    FechaAlta: "date",
    FechaBaja: "date",
    Activo: "text",
  });
  return { name: "Propietarios", columns, rows };
}
