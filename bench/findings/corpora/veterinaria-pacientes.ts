import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, maybe, mostlyFirst, normal, weighted } from "../draw.ts";
import { nextOpen, type Owner, today } from "./veterinaria-propietarios.ts";

/** The animals. */

export type Species = "PERRO" | "GATO" | "CONEJO" | "HURON" | "AVE" | "REPTIL" | "CABALLO";

export type Patient = {
  id: number;
  name: string;
  species: Species;
  breed: string | null;
  sex: string;
  isNeutered: string | null;
  born: number | null;
  isEstimated: boolean;
  chip: string | null;
  owner: Owner;
  from: number;
  died: number | null;
  weight: number;
  /** From when on it comes no more, or as another's. */
  leaves: number | null;
  before: Patient | null;
};

const names =
  "Luna,Toby,Coco,Nala,Kira,Thor,Simba,Lola,Rocky,Mía,Nina,Max,Leo,Canela,Bimba,Zeus,Ñoqui,Pelusa,Trufa,Chispa,Curro,Lluna,Bruc,Rita,Pipo,Yoda,Sin nombre,K-9,Doña Inés,Nº 3".split(
    ",",
  );

/** By how many kilograms a grown one weighs. */
const breeds: Record<Species, [string, number][]> = {
  PERRO: [
    ["Mestizo", 14],
    ["Yorkshire Terrier", 3.1],
    ["Pastor Alemán", 34],
    ["Labrador Retriever", 31],
    ["Podenco", 21],
    ["Chihuahua", 2.2],
    ["Galgo Español", 26],
    ["Mastín Español", 66],
    ["Bulldog Francés", 12],
    ["Perro de Agua", 18],
    ["Teckel", 8],
  ],
  GATO: [
    ["Europeo común", 4.2],
    ["Siamés", 3.8],
    ["Persa", 4.5],
    ["Maine Coon", 7.4],
  ],
  CONEJO: [
    ["Belier", 2.1],
    ["Enano", 1.2],
  ],
  HURON: [["Hurón", 1.1]],
  AVE: [
    ["Agapornis", 0.05],
    ["Yaco", 0.42],
    ["Canario", 0.022],
    ["Gallina", 2.3],
  ],
  REPTIL: [
    ["Tortuga mora", 0.9],
    ["Iguana verde", 3.2],
    ["Gecko leopardo", 0.06],
  ],
  CABALLO: [["PRE", 520]],
};

/** How many years they live, about. */
const spans: Record<Species, number> = {
  PERRO: 12.5,
  GATO: 14,
  CONEJO: 8,
  HURON: 7,
  AVE: 14,
  REPTIL: 30,
  CABALLO: 26,
};

export function patientsOf(random: Random, owners: readonly Owner[]): Patient[] {
  const patients: Patient[] = [];
  for (const owner of owners) {
    const count =
      owner.kind === "protectora"
        ? random.between(28, 60)
        : owner.kind === "clinica"
          ? random.between(12, 30)
          : owner.kind === "criador"
            ? random.between(5, 14)
            : weighted(random, { 1: 68, 2: 22, 3: 8, 5: 2 });
    for (let left = Number(count); left > 0; left--) {
      const last = owner.until ?? today;
      const from =
        left === Number(count)
          ? owner.since
          : nextOpen(owner.since + random.next() * Math.max(0, last - owner.since - 9 * dayMs));
      patients.push(patientOf(random, owner, Math.min(from, last)));
    }
  }
  const all = patients.flatMap((patient) => adopted(random, patient, owners)).sort((a, b) => a.from - b.from);
  for (const [index, patient] of all.entries()) patient.id = 1001 + index;
  return all;
}

function patientOf(random: Random, owner: Owner, from: number): Patient {
  const species: Species =
    owner.kind === "criador"
      ? "PERRO"
      : owner.kind === "protectora"
        ? weighted(random, { GATO: 80, PERRO: 20 })
        : owner.last.startsWith("Exóticos")
          ? weighted(random, { CONEJO: 30, AVE: 35, REPTIL: 25, HURON: 10 })
          : weighted(random, {
              PERRO: 600,
              GATO: 310,
              CONEJO: 30,
              AVE: 26,
              HURON: 12,
              REPTIL: 18,
              CABALLO: 4,
            });
  const isFound = owner.kind === "protectora";
  // Nobody leaves pedigree cats in the street.
  const [breed, grown] = mostlyFirst(random, breeds[species].slice(0, isFound ? 1 : undefined), 1.6);
  const age = random.chance(0.55)
    ? random.between(40, 200) * dayMs
    : random.next() * spans[species] * 0.7 * 365 * dayMs;
  const isEstimated = isFound || random.chance(0.16);
  const born = from - age;
  const death = born + spans[species] * (1 + normal(random) * 0.25) * 365.25 * dayMs;
  const died = death > from + 20 * dayMs && death < today ? Math.floor(death / dayMs) * dayMs : null;
  const sex =
    (species === "AVE" || species === "REPTIL") && random.chance(0.6) ? "I" : random.pick(["M", "H"]);
  // Dogs must have a chip; cats must only lately; the first ones had ten characters.
  const wants =
    species === "PERRO"
      ? 0.97
      : species === "GATO"
        ? isFound
          ? 0.3
          : 0.6
        : species === "CABALLO"
          ? 1
          : species === "HURON"
            ? 0.5
            : 0.03;
  return {
    id: 0,
    name:
      isFound && random.chance(0.2) ? `Colonia ${random.between(1, 14)}` : mostlyFirst(random, names, 1.15),
    species,
    breed: species === "PERRO" && random.chance(0.03) ? null : breed,
    sex,
    isNeutered: ["AVE", "REPTIL"].includes(species)
      ? null
      : random.chance(sex === "H" ? 0.7 : 0.5)
        ? "S"
        : "N",
    // Of what was found, the year is a guess, and of old parrots nobody knows.
    born:
      species === "AVE" || species === "REPTIL"
        ? maybe(random, 0.4, () => born)
        : isEstimated
          ? Date.UTC(new Date(born).getUTCFullYear(), 0, 1)
          : born,
    isEstimated,
    chip: maybe(random, wants, () =>
      from < Date.UTC(2013, 3, 1) && random.chance(0.3)
        ? `0006${[...digits(random, 6)].join("")}`
        : `${mostlyFirst(random, ["941000", "981098", "941000", "985112", "724098"], 1.4)}${digits(random, 9)}`,
    ),
    owner,
    from,
    died: owner.until !== null && died !== null && died > owner.until ? null : died,
    weight: grown * Math.exp(normal(random) * 0.16),
    leaves: owner.until,
    before: null,
  };
}

/** Who finds a home becomes another patient with the same chip, and the history stays with the shelter. */
function adopted(random: Random, patient: Patient, owners: readonly Owner[]): Patient[] {
  const moved = nextOpen(patient.from + heavyTailed(random, 90, 0.8) * dayMs);
  const able = owners.filter(
    ({ kind, since, until }) => kind === "particular" && since <= moved && until === null,
  );
  if (
    patient.owner.kind !== "protectora" ||
    patient.died !== null ||
    moved > today - 60 * dayMs ||
    able.length === 0 ||
    !random.chance(0.3)
  )
    return [patient];
  patient.leaves = moved;
  return [
    patient,
    {
      ...patient,
      leaves: null,
      name: mostlyFirst(random, names, 1.15),
      owner: random.pick(able),
      from: moved,
      before: patient,
    },
  ];
}

/** Of three colors, or like a tortoise, are only queens. */
const coatsOf = (species: Species, sex: string): string[] =>
  species === "PERRO"
    ? ["Negra", "Canela", "Blanca", "Tricolor", "Atigrado", "Arlequín"]
    : species === "GATO"
      ? [
          "Atigrado",
          "Negra",
          "Blanca y negra",
          "Canela",
          "Azul",
          ...(sex === "H" ? ["Carey", "Tricolor"] : []),
        ]
      : species === "CABALLO"
        ? ["Torda", "Castaña"]
        : [];

export function patientTable(random: Random, patients: readonly Patient[]): CorpusTable {
  const rows = patients
    .toSorted((a, b) => a.id - b.id)
    .map((patient): Row => {
      const {
        id,
        name,
        species,
        breed,
        sex,
        isNeutered,
        born,
        isEstimated,
        chip,
        owner,
        from,
        died,
        leaves,
        before,
      } = patient;
      const coats = coatsOf(species, sex);
      return [
        String(id),
        String(owner.id),
        name,
        species,
        breed,
        sex,
        isNeutered,
        born === null ? null : dateText(born),
        born === null ? null : isEstimated ? "S" : "N",
        chip,
        coats.length === 0 ? null : maybe(random, 0.7, () => mostlyFirst(random, coats, 1.3)),
        dateText(from),
        died === null ? null : dateText(died),
        died !== null ? "EXITUS" : leaves === null ? "ALTA" : owner.until === null ? "CEDIDO" : "BAJA",
        before === null ? null : String(before.id),
      ];
    });
  const columns = columnsOf({
    IdPaciente: "integer key",
    IdPropietario: "integer references Propietarios.IdPropietario",
    Nombre: "text",
    Especie: "text",
    Raza: "text",
    Sexo: "text",
    Esterilizado: "text",
    FechaNacimiento: "date",
    NacimientoEstimado: "text",
    Microchip: "text",
    Capa: "text",
    FechaAlta: "date",
    FechaExitus: "date",
    Estado: "text",
    IdPacienteAnterior: "integer references Pacientes.IdPaciente",
  });
  return { name: "Pacientes", columns, rows };
}

/** Kilograms at that age, as the scales for its size tell. */
export function weightAt(random: Random, { born, weight, from, died }: Patient, day: number): number {
  const age = (day - (born ?? from - 800 * dayMs)) / dayMs;
  const grown = Math.min(1, 0.12 + 0.88 * (Math.max(age, 20) / 330));
  const isIll = died !== null && died - day < 60 * dayMs;
  return Math.max(0.012, weight * grown * (isIll ? 0.86 : 1) * Math.exp(normal(random) * 0.035));
}
