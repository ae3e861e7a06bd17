import type { Random } from "../../../faults/random.ts";

export type Language = "en" | "de" | "fr";
export type Kind = "story" | "brief" | "wire" | "opinion" | "liveblog" | "gallery" | "video" | "guide";

const nouns = {
  de: [
    "Gemeinderat",
    "Bahnhof",
    "Spital",
    "Budget",
    "Wolf",
    "Steuerfuss",
    "Hochwasser",
    "Trainer",
    "Velosteg",
  ],
  en: ["Council", "Station", "Hospital", "Budget", "Wolf", "Tax rate", "Flood", "Coach", "Footbridge"],
  fr: [
    "Le conseil",
    "La gare",
    "L’hôpital",
    "Le budget",
    "Le loup",
    "L’impôt",
    "La crue",
    "L’entraîneur",
    "La passerelle",
  ],
};

const verbs = {
  de: [
    "bleibt umstritten",
    "kostet mehr als gedacht",
    "spaltet das Dorf",
    "vor dem Aus",
    "«wie nie zuvor»",
    "kommt doch",
  ],
  en: [
    "remains disputed",
    "costs more than expected",
    "divides a village",
    "“as never before”",
    "comes after all",
    "explained",
  ],
  fr: [
    "fait débat",
    "coûtera plus cher",
    "divise le village",
    "« du jamais vu »",
    "verra le jour",
    "en sursis",
  ],
};

const returning = { de: "Das war die Nacht", en: "Morning briefing", fr: "L’essentiel du matin" };

/** Briefs come under the same title again and again. */
export function headlineOf(random: Random, language: Language, kind?: Kind): string {
  if (kind === "brief" && random.chance(0.35)) return returning[language];
  const text = `${random.pick(nouns[language])} ${random.pick(verbs[language])}`;
  const number = random.chance(0.3)
    ? `: ${random.between(2, 90)} ${language === "de" ? "Fragen" : "questions"}`
    : "";
  const town = random.pick([
    "Aarwil",
    "Bad Lenz",
    "Chêne",
    "Dürrenbach",
    "Emmenfeld",
    "Fribach",
    "Genolle",
    "Höri",
  ]);
  return random.chance(0.5)
    ? `${town}: ${text}${number}`
    : `${text}${number}${random.chance(0.2) ? ` (${town})` : ""}`;
}
