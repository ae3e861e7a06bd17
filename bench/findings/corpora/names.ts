import type { Random } from "../../../faults/random.ts";
import { mostlyFirst } from "../draw.ts";

/** People: first names that many have, and last names of which most are rare. */
export const firstName = (random: Random): string => mostlyFirst(random, firstNames, 1.5);

export const lastName = (random: Random): string =>
  random.chance(0.4)
    ? mostlyFirst(random, lastNames, 1.6)
    : `${random.pick(heads)}${random.pick(middles)}${random.pick(tails)}`;

/** For mail addresses and logins: no letter but those of ASCII. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^a-zA-Z]/g, "")
    .toLowerCase();

export function sentence(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => mostlyFirst(random, vocabulary, 1.4)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random.pick([".", ".", ".", "!", "", " :-)", "..."])}`;
}

const firstNames =
  "Anna,James,Maria,Lukas,Emma,Jonas,Sophie,Paul,Laura,David,Julia,Thomas,José,Zoë,Amélie,Michael,Nora,Felix,Clara,Ben,Ida,Oskar,Lena,Tim,Marta,Jan,Katarzyna,Piotr,Ewa,Erik,Astrid,Björn,Sara,Ali,Fatima,Wei,Mei,Ravi,Priya,Chloe,Noah,Liam,Olivia,Ava,Jürgen,Søren,François,Núria".split(
    ",",
  );
const lastNames =
  "Smith,Müller,Jones,Schmidt,Brown,Weber,Taylor,Fischer,Novak,Kowalski,García,Nguyen,Andersson,de Vries,van den Berg,O'Brien,McDonald,Li,Kim,Singh,Meyer-Lüdenscheidt,Öztürk,Dubois,Rossi".split(
    ",",
  );
const heads = [
  "Ab",
  "Bra",
  "Cor",
  "Dre",
  "El",
  "Fro",
  "Gri",
  "Hol",
  "Ka",
  "Lem",
  "Mar",
  "Nis",
  "Or",
  "Pet",
  "Ros",
  "Sche",
  "Tru",
  "Vog",
  "Wie",
  "Zim",
];
const middles = ["be", "cker", "de", "fel", "gle", "he", "ki", "le", "mer", "ne", "re", "sen", "te", "vi"];
const tails = ["", "ck", "der", "er", "feldt", "is", "ke", "land", "mann", "ner", "ová", "ski", "sson", "z"];
const vocabulary =
  "the,it,very,good,is,not,was,and,quick,delivery,arrived,late,box,broken,but,fine,would,buy,again,size,too,small,large,color,nice,as,described,customer,service,helpful,never,happy,with,this,product,after,weeks,stopped,working,returned,refund,pending,recommended,cheap,value,for,money,n/a,unknown,café,naïve".split(
    ",",
  );
