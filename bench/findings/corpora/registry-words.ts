/** Names and trades as the registers have them, in the language in which they were kept. */
export const languages = ["la", "de", "pl", "ru"] as const;
export type Language = (typeof languages)[number];
type Word = readonly [string, string, string, string];

export const given: Record<"M" | "F", Word[]> = {
  M: [
    ["Joannes", "Johann", "Jan", "Иван"],
    ["Josephus", "Joseph", "Józef", "Осип"],
    ["Adalbertus", "Adalbert", "Wojciech", "Войцех"],
    ["Franciscus", "Franz", "Franciszek", "Франц"],
    ["Antonius", "Anton", "Antoni", "Антон"],
    ["Michael", "Michael", "Michał", "Михаил"],
    ["Stanislaus", "Stanislaus", "Stanisław", "Станислав"],
    ["Martinus", "Martin", "Marcin", "Мартин"],
    ["Thomas", "Thomas", "Tomasz", "Фома"],
    ["Andreas", "Andreas", "Andrzej", "Андрей"],
    ["Valentinus", "Valentin", "Walenty", "Валентий"],
    ["Petrus", "Peter", "Piotr", "Пётр"],
    ["Ignatius", "Ignatz", "Ignacy", "Игнатий"],
    ["Laurentius", "Lorenz", "Wawrzyniec", "Лаврентий"],
    ["Gregorius", "Gregor", "Grzegorz", "Григорий"],
    ["Casimirus", "Kasimir", "Kazimierz", "Казимир"],
  ],
  F: [
    ["Marianna", "Marianne", "Marianna", "Марианна"],
    ["Catharina", "Katharina", "Katarzyna", "Екатерина"],
    ["Agnes", "Agnes", "Agnieszka", "Агнесса"],
    ["Francisca", "Franziska", "Franciszka", "Франциска"],
    ["Rosalia", "Rosalie", "Rozalia", "Розалия"],
    ["Antonina", "Antonina", "Antonina", "Антонина"],
    ["Hedvigis", "Hedwig", "Jadwiga", "Ядвига"],
    ["Josepha", "Josepha", "Józefa", "Иозефа"],
    ["Magdalena", "Magdalena", "Magdalena", "Магдалина"],
    ["Anna", "Anna", "Anna", "Анна"],
    ["Barbara", "Barbara", "Barbara", "Варвара"],
    ["Elisabetha", "Elisabeth", "Elżbieta", "Елизавета"],
    ["Apollonia", "Apollonia", "Apolonia", "Аполлония"],
    ["Victoria", "Viktoria", "Wiktoria", "Виктория"],
    ["Sophia", "Sophie", "Zofia", "Софья"],
  ],
};

export const trades: Word[] = [
  ["agricola", "Bauer", "rolnik", "крестьянин"],
  ["operarius", "Tagelöhner", "wyrobnik", "подёнщик"],
  ["hortulanus", "Gärtner", "zagrodnik", "огородник"],
  ["sutor", "Schuhmacher", "szewc", "сапожник"],
  ["faber", "Schmied", "kowal", "кузнец"],
  ["pastor", "Schäfer", "owczarz", "пастух"],
  ["molitor", "Müller", "młynarz", "мельник"],
  ["sartor", "Schneider", "krawiec", "портной"],
  ["miles", "Soldat", "żołnierz", "солдат"],
  ["nobilis", "Gutsbesitzer", "dziedzic", "помещик"],
  ["organarius", "Organist", "organista", "органист"],
];

export type Surname = { standard: string };

export const surnames: Surname[] =
  "Nowak,Kowalski,Kaczmarek,Mazur,Wiśniewski,Grabowski,Wójcik,Lewandowski,Krawczyk,Zieliński,Walczak,Szymański,Wróbel,Dąbrowski,Stachowiak,Kozłowski,Ratajczak,Jankowski,Król,Kwiatkowski,Szymczak,Piotrowski,Kubiak,Pawłowski,Banaszak,Michalski,Schulz,Nowicki,Przybylak,Jabłoński,Krüger,Wróblewski,Owczarek,Majewski,Adamczak,Olszewski,Hoffmann,Malinowski,Frąckowiak,Górski,Sobczak,Rutkowski,Szulc,Sikorski,Bąk,Ostrowski,Lis,Głowacki,Schmidt,Czerwiński,Szewczyk,Borkowski,Zając,Janicki,Lange,Duda,Tomczak,Wilczyński,Krause,Maciejewski,Cieślak,Bartkowiak,Marcinkowski,Michalak,Neumann,Szczepański,Kurek,Nowakowski,Jóźwiak,Szczepaniak"
    .split(",")
    .map((standard) => ({ standard }));

/** Whoever ends with -ski is a -ska as a woman; a German clerk wrote what he heard, a Russian one in his letters. */
export function written({ standard }: Surname, sex: "M" | "F", language: Language): string {
  const form = sex === "F" && language !== "de" ? standard.replace(/([sc])ki$/, "$1ka") : standard;
  if (language === "pl") return form;
  if (language === "ru") return cyrillic(form);
  const plain = form.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l").replaceAll("Ł", "L");
  if (language === "la") return plain;
  return plain
    .replaceAll("szcz", "schtsch")
    .replaceAll("Szcz", "Schtsch")
    .replaceAll("sz", "sch")
    .replaceAll("Sz", "Sch")
    .replaceAll("cz", "tsch")
    .replaceAll("Cz", "Tsch");
}

const sounds: Record<string, string> = {
  sch: "ш",
  hn: "н",
  mm: "мм",
  ü: "ю",
  ö: "ё",
  h: "г",
  f: "ф",
  szcz: "щ",
  sz: "ш",
  cz: "ч",
  rz: "ж",
  ch: "х",
  ck: "цк",
  ia: "я",
  a: "а",
  ą: "он",
  b: "б",
  c: "ц",
  d: "д",
  e: "е",
  ę: "ен",
  g: "г",
  i: "и",
  j: "й",
  ja: "я",
  k: "к",
  l: "л",
  ł: "л",
  m: "м",
  n: "н",
  ń: "нь",
  o: "о",
  ó: "у",
  p: "п",
  r: "р",
  s: "с",
  ś: "с",
  t: "т",
  u: "у",
  w: "в",
  y: "ы",
  z: "з",
  ź: "з",
  ż: "ж",
};

function cyrillic(text: string): string {
  const small = text
    .toLowerCase()
    .replace(/([sc])ki$/, "$1kij")
    .replace(/([sc])ka$/, "$1kaja");
  let made = "";
  for (let at = 0; at < small.length; ) {
    const length = [4, 3, 2, 1].find((size) => sounds[small.slice(at, at + size)] !== undefined) ?? 1;
    made += sounds[small.slice(at, at + length)] ?? "";
    at += length;
  }
  return `${made.charAt(0).toUpperCase()}${made.slice(1)}`;
}
