/** What grows in the collection, where it was collected, and who sent it. */

export type Kind = {
  family: string;
  genus: string;
  species: string;
  authority: string;
  crop: string;
  /** How often there is an accession of it. */
  share: number;
  /** In grams per thousand seeds; none for what is kept as a plant. */
  seedWeight: number | null;
  /** How much of its life a seed loses each year. */
  decay: number;
  /** Wild seeds often rest, or have hard coats. */
  isDormant: boolean;
  /** From sowing to the harvest. */
  days: number;
  /** It is sown in autumn. */
  isWinter: boolean;
  regime: string;
  names: string[];
};

const table = `Poaceae|Triticum|aestivum|L.|wheat|20|42|.35|n|300|w|20|Probus,Manitou,Chinese Spring,Jubilar,Capelle Desprez,Bezostaja 1
Poaceae|Hordeum|vulgare|L.|barley|18|45|.4|n|110|s|20|Isaria,Haisa,Union,Trumpf,Pallas,Čelechovický Hanácký
Poaceae|Triticum|monococcum|L.|einkorn|3|27|.3|n|300|w|20|
Poaceae|Avena|sativa|L.|oat|7|33|.5|n|120|s|20|Flämingsgold,Sol II,Pendek
Poaceae|Secale|cereale|L.|rye|4|31|.8|n|310|w|20|Petkus,Kustro,Champagner
Poaceae|Aegilops|cylindrica|Host|goat grass|3|19|.3|y|300|w|20/10|
Poaceae|Zea|mays|L.|maize|6|290|.5|n|150|s|20/30|Gelber Badischer Landmais,Wisconsin No. 7
Fabaceae|Phaseolus|vulgaris|L.|bean|12|380|.3|n|115|s|20/30|Saxa,Neckarkönigin,Ohio,Red Kidney
Fabaceae|Vicia|faba|L.|faba bean|6|520|.2|n|130|s|20|Herz Freya,Wieselburger,Three Fold White
Fabaceae|Pisum|sativum|L.|pea|8|210|.25|n|95|s|20|Kleine Rheinländerin,Maiperle,Aldermann,Alaska
Fabaceae|Lens|culinaris|Medik.|lentil|3|31|.3|n|105|s|20|
Fabaceae|Cicer|arietinum|L.|chickpea|2|250|.4|n|120|s|20|
Fabaceae|Trifolium|alpinum|L.|clover|1|5.1|.1|y|420|s|20/10|
Fabaceae|Lupinus|mutabilis|Sweet|lupin|1|190|.3|y|160|s|20|
Solanaceae|Solanum|lycopersicum|L.|tomato|7|2.9|.45|n|130|s|20/30|Rheinlands Ruhm,Moneymaker,Hellfrucht,Marmande
Solanaceae|Solanum|tuberosum|L.|potato|4|-|.0|n|120|s|-|Ackersegen,Bintje,Sieglinde,Désirée
Solanaceae|Capsicum|annuum|L.|pepper|4|6.1|.8|n|140|s|20/30|Rokita,Ždiara,Szegedi F.03
Brassicaceae|Brassica|oleracea|L.|cabbage|5|3.6|.7|n|430|s|20/30|Ditmarscher Früher,Filderkraut,Dänischer
Asteraceae|Lactuca|sativa|L.|lettuce|5|1.1|1.1|n|105|s|15|Maikönig,Attraktion,Webbs Wonderful
Amaryllidaceae|Allium|cepa|L.|onion|3|3.7|1.6|n|420|s|15|Zittauer Gelbe,Stuttgarter Riesen
Amaryllidaceae|Allium|sativum|L.|garlic|2|-|.0|n|280|w|-|Thüringer
Amaranthaceae|Chenopodium|quinoa|Willd.|quinoa|2|2.6|1.2|n|150|s|20|
Amaranthaceae|Beta|vulgaris|L.|beet|4|15|.6|n|420|s|20/30|Kleinwanzlebener E,Rote Kugel
Linaceae|Linum|usitatissimum|L.|flax|3|6.2|.4|n|110|s|20|Concurrent,Bolley Golden
Papaveraceae|Papaver|somniferum|L.|poppy|2|.48|.5|n|120|s|20/10|Mahndorfer
Nymphaeaceae|Nymphaea|alba|L.|water lily|.3|1.6|.4|y|500|s|20/30|
Orchidaceae|Dactylorhiza|majalis|(Rchb.) P.F.Hunt & Summerh.|orchid|.5|.0024|.9|y|900|s|23|
Arecaceae|Phoenix|dactylifera|L.|date palm|.3|920|.6|n|2000|s|30|`;

export const kinds: Kind[] = table.split("\n").map((line) => {
  const [family = "", genus = "", species = "", authority = "", crop = "", share, weight, ...rest] =
    line.split("|");
  const [decay, dormant, days, sown, regime = "", names = ""] = rest;
  return {
    family,
    genus,
    species,
    authority,
    crop,
    share: Number(share),
    seedWeight: weight === "-" ? null : Number(weight),
    decay: Number(decay),
    isDormant: dormant === "y",
    days: Number(days),
    isWinter: sown === "w",
    regime,
    names: names === "" ? [] : names.split(","),
  };
});

/** Names that are accepted no more, and for what they stand. */
export const synonyms = `Lycopersicon|esculentum|Mill.|Solanum lycopersicum
Triticum|vulgare|Vill.|Triticum aestivum
Hordeum|distichon|L.|Hordeum vulgare
Hordeum|hexastichon|L.|Hordeum vulgare
Lens|esculenta|Moench|Lens culinaris
Faba|vulgaris|Moench|Vicia faba
Pisum|arvense|L.|Pisum sativum
Linum|humile|Mill.|Linum usitatissimum
Solanum|esculentum|Neck.|Solanum tuberosum
Orchis|majalis|Rchb.|Dactylorhiza majalis`
  .split("\n")
  .map((line) => line.split("|") as [string, string, string, string]);

/** Below the species; the second is not accepted by itself. */
export const below = `Hordeum vulgare|subsp.|spontaneum|(K. Koch) Thell.
Hordeum vulgare|convar.|distichon|(L.) Alef.
Hordeum vulgare|var.|nudum|Spenn.
Triticum aestivum|subsp.|spelta|(L.) Thell.
Triticum monococcum|subsp.|aegilopoides|(Link) Thell.
Brassica oleracea|var.|capitata|L.
Brassica oleracea|var.|sabellica|L.
Brassica oleracea|var.|gongylodes|L.
Beta vulgaris|subsp.|maritima|(L.) Arcang.
Vicia faba|var.|minor|Peterm.
Phaseolus vulgaris|var.|nanus|(L.) Asch.
Zea mays|convar.|saccharata|Körn.
Pisum sativum|subsp.|elatius|(M. Bieb.) Asch. & Graebn.
Linum usitatissimum|f.|albiflorum|Howard`
  .split("\n")
  .map((line) => line.split("|") as [string, string, string, string]);

export type Site = {
  /** By the year it was collected in: states come and go. */
  country: (year: number) => string;
  name: string;
  at: [number, number];
  /** Of the place; some are below the sea. */
  meters: number;
  isSteep: boolean;
};

const sites0 = `ETH|Debre Zeyit|8.75|38.98|1900|s
SYR|Tel Hadya, 30 km S Aleppo|36.01|36.93|284|f
JOR|Ghor eṣ-Ṣafi, S end of the Dead Sea|31.03|35.47|-386|f
NLD|Noordoostpolder, Nagele|52.64|5.72|-4|f
TUR|Karacadağ, W Diyarbakır|37.7|39.84|1350|s
IRN|Kermānšāh, 12 km E|34.31|47.2|1390|s
SUN>1991>GEO|Svanetia, Mestia|43.04|42.72|1480|s
SUN>1991>RUS|Dagestan, Derbent, shore of the Caspian|42.06|48.3|-24|f
ITA|Basilicata, Matera|40.67|16.6|400|s
GRC|Kríti, Lasíthi|35.18|25.47|840|s
ESP|Cangas del Narcea (Asturias)|43.18|-6.55|400|s
PER|Cusco, Písac|-13.42|-71.85|2970|s
BOL|Salinas de Garci Mendoza|-19.64|-67.68|3690|s
MEX|Oaxaca, Yanhuitlán|17.52|-97.34|2150|s
AFG|Bāmyān|34.82|67.83|2550|s
NPL|Jumla bazar|29.27|82.18|2370|s
AUT|Ötztal, Längenfeld|47.07|10.97|1180|s
ROU|Maramureş, Ieud|47.68|24.23|450|s
PRT|Trás-os-Montes, Bragança|41.81|-6.76|700|s
TUN|Djerba, Houmt Souk|33.87|10.86|6|f
CSK>1992>SVK|Liptov, Važec|49.06|19.98|790|s
YUG>1991>MKD|Ohrid, Peštani|41.01|20.81|710|s
DDR>1990>DEU|Altmark, Klötze|52.63|11.16|62|f
DEU|Schwäbische Alb, Münsingen|48.41|9.5|710|s
GHA|Tamale, market|9.4|-0.84|180|f
NAM|Ovamboland, Ondangwa|-17.91|15.98|1090|f`;

export const sites: Site[] = sites0.split("\n").map((line) => {
  const [code = "", name = "", latitude, longitude, meters, slope] = line.split("|");
  const [before = "", until, after = before] = code.split(">");
  return {
    country: (year) => (until === undefined || year <= Number(until) ? before : after),
    name,
    at: [Number(latitude), Number(longitude)],
    meters: Number(meters),
    isSteep: slope === "s",
  };
});

/** Codes of the FAO; some closed, or became another. */
export const institutes =
  `DEU146|Genebank, Leibniz Institute of Plant Genetics and Crop Plant Research|IPK|DEU|
DEU001|Bundesforschungsanstalt für Landwirtschaft, Institut für Pflanzenbau|FAL|DEU|DEU146
RUS001|N.I. Vavilov Research Institute of Plant Industry|VIR|RUS|
NOR051|Svalbard Global Seed Vault|SGSV|NOR|
SWE054|Nordic Genetic Resource Center|NORDGEN|SWE|
SWE002|Nordic Gene Bank|NGB|SWE|SWE054
NLD037|Centre for Genetic Resources, the Netherlands|CGN|NLD|
GBR011|Germplasm Resources Unit, John Innes Centre|JIC|GBR|
GBR165|Science and Advice for Scottish Agriculture|SASA|GBR|
GBR004|Millennium Seed Bank, Royal Botanic Gardens Kew|RBGK|GBR|
USA029|Small Grains Germplasm Research Facility, USDA-ARS|NSGC|USA|
USA022|Western Regional Plant Introduction Station|W6|USA|
CHE001|Agroscope Changins|AGRONYON|CHE|
CHE063|ProSpecieRara|PSR|CHE|
CZE047|Výzkumný ústav zelinářský, Olomouc|OLOMOUC|CZE|CZE122
CZE122|Genová banka, Výzkumný ústav rostlinné výroby|RICP|CZE|
SVK001|Výskumný ústav rastlinnej výroby, Piešťany|SVKPIEST|SVK|
POL003|Instytut Hodowli i Aklimatyzacji Roślin|IHAR|POL|
HUN003|Növényi Diverzitás Központ|NODIK|HUN|
ITA436|Istituto di Bioscienze e Biorisorse, CNR Bari|IBBR|ITA|
ESP004|Centro Nacional de Recursos Fitogenéticos|INIACRF|ESP|
ETH085|Ethiopian Biodiversity Institute|EBI|ETH|
LBN002|International Center for Agricultural Research in the Dry Areas|ICARDA|LBN|
SYR002|International Center for Agricultural Research in the Dry Areas|ICARDA|SYR|LBN002
MEX002|Centro Internacional de Mejoramiento de Maíz y Trigo|CIMMYT|MEX|
PER001|Centro Internacional de la Papa|CIP|PER|
COL003|Centro Internacional de Agricultura Tropical|CIAT|COL|
IND002|International Crop Research Institute for the Semi-Arid Tropics|ICRISAT|IND|
AUT001|AGES Linz - Austrian Agency for Health and Food Safety|BVAL|AUT|
ROM007|Banca de Resurse Genetice Vegetale Suceava|BRGV|ROU|
DEU600|Saatgut-Archiv Greifenau|SAG|DEU|
DEU615|Institut für Kulturpflanzen Wörlenbach|IKW|DEU|DEU600`
    .split("\n")
    .map((line) => line.split("|") as [string, string, string, string, string]);
