import { ofNames } from "./of-names.ts";

/**
 * What the names of columns say about their values: in English, German, Spanish, French, Italian, Portuguese, and Dutch,
 * in any way of writing them. A hint, never proof.
 */

/** `orderItemId`, `ORDER_ITEM_ID` and `order item id` in their words, in lower case. */
export const wordsOf: (name: string) => readonly string[] = ofNames((name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== ""),
);

const last = (name: string) => wordsOf(name).at(-1) ?? "";
const has = (name: string, words: ReadonlySet<string>) => wordsOf(name).some((word) => words.has(word));

const keys = new Set([
  "id",
  "key",
  "code",
  "number",
  "no",
  "nr",
  "num",
  "uuid",
  "guid",
  "sku",
  "isbn",
  "ean",
  "iban",
  "ref",
  "upc",
  "gtin",
  "cd",
  ...["nummer", "kennung", "schlüssel", "schluessel", "numero", "número", "nro", "cod", "cve", "clave"],
  ...["codigo", "código", "codice", "chave", "sleutel", "numéro"],
]);
/** What stands in front in Romance languages: `idCliente`, `cod_articulo`. `num` and `no` also begin English counts. */
const leadingKeys = new Set(["id", "cod", "cve", "codigo", "código", "codice", "nro", "clave"]);
/**
 * Whether it names what identifies a thing: `id`, `order_no`, `sku`, `customerKey`, `codCliente`, and `custid` or
 * `kundennr` as one word.
 */
export const isNamedLikeKey: (name: string) => boolean = ofNames(
  (name) =>
    keys.has(last(name)) ||
    (leadingKeys.has(wordsOf(name)[0] ?? "") && !has(name, places)) ||
    (/^[\p{L}]{2,}(id|key|code|nr|nummer)$/iu.test(last(name)) && !endingAlike.has(last(name))) ||
    has(name, logins),
);
const logins = new Set(["email", "username", "login"]);
/** Words that end as those do, and name no thing: `amount_paid`, and whether something is `valid`. */
const endingAlike = new Set(
  (
    "paid unpaid prepaid postpaid repaid valid invalid void avoid grid hybrid acid fluid liquid solid humid rapid covid " +
    "android asteroid steroid thyroid raid laid said monkey turkey hockey whiskey decode"
  ).split(" "),
);
/** What many have in common. */
const places = new Set(["postal", "postale", "pais", "país", "pays", "paese"]);

const optional = new Set([
  ...[
    "fax",
    "middle",
    "second",
    "alt",
    "alternate",
    "alternative",
    "nick",
    "nickname",
    "suffix",
    "prefix",
    "title",
  ],
  ...[
    "comment",
    "comments",
    "note",
    "notes",
    "remark",
    "remarks",
    "description",
    "memo",
    "reason",
    "bio",
    "url",
  ],
  ...[
    "website",
    "homepage",
    "image",
    "photo",
    "picture",
    "parent",
    "manager",
    "supervisor",
    "boss",
    "reports",
  ],
  ...[
    "deleted",
    "closed",
    "ended",
    "end",
    "cancelled",
    "canceled",
    "completed",
    "finished",
    "expires",
    "expired",
  ],
  ...[
    "expiry",
    "death",
    "died",
    "left",
    "shipped",
    "delivered",
    "returned",
    "approved",
    "resolved",
    "until",
    "thru",
  ],
  ...[
    "address2",
    "line2",
    "phone2",
    "extension",
    "ext",
    "2",
    "3",
    "discount",
    "coupon",
    "promotion",
    "referrer",
  ],
  // The same in other languages.
  ...(
    "zusatz titel bemerkung bemerkungen kommentar notiz notizen hinweis beschreibung grund webseite bild foto " +
    "vorgesetzter vorgesetzte vorgesetzten übergeordnet uebergeordnet gelöscht geloescht geschlossen beendet ende " +
    "storniert abgeschlossen ablauf austritt ausgeliefert geliefert retourniert bis rabatt gutschein telefon2"
  ).split(" "),
  ...(
    "comentario comentarios nota notas observaciones observacion descripcion descripción motivo imagen jefe padre " +
    "borrado cerrado fin cancelado anulado finalizado caducidad vencimiento baja entregado devuelto hasta descuento"
  ).split(" "),
  ...(
    "commentaire commentaires remarque remarques raison supprimé fermé annulé terminé sortie remise responsable " +
    "commento osservazioni motivazione cancellato chiuso annullato scadenza sconto observação observações excluído " +
    "opmerking opmerkingen omschrijving einde verwijderd geannuleerd korting"
  ).split(" "),
]);
/** `is_deleted` and `closed_flag` are said of every row. */
const isNamedLikeFlag = (name: string): boolean =>
  ["is", "has", "was"].includes(wordsOf(name)[0] ?? "") || ["flag", "yn"].includes(last(name));
/** Whether rows often have nothing there for good reasons. */
export const isNamedLikeOptional = (name: string): boolean =>
  (has(name, optional) && !isNamedLikeFlag(name)) || (/(2|3)$/.test(name) && !measured.has(last(name)));
/** A square, a cube, and a gas: no second of anything. */
const measured = new Set("m2 m3 km2 km3 cm2 cm3 mm2 mm3 ft2 ft3 in2 in3 co2 o2 n2 h2 no2 so2 o3".split(" "));

const prose = new Set([
  "comment",
  "comments",
  "note",
  "notes",
  "remark",
  "remarks",
  "description",
  "memo",
  "bio",
  "text",
  "body",
  "message",
  "review",
  "content",
  "summary",
  "abstract",
  ...["bemerkung", "bemerkungen", "kommentar", "notiz", "notizen", "beschreibung", "freitext", "nachricht"],
  ...["comentario", "comentarios", "observaciones", "observacion", "descripcion", "descripción", "mensaje"],
  ...["commentaire", "commentaires", "remarque", "remarques", "opmerking", "opmerkingen", "omschrijving"],
  ...["commento", "osservazioni", "descrizione", "observação", "observações", "descrição"],
]);
/** Whether people write there what they like. */
export const isNamedLikeProse = (name: string): boolean => has(name, prose);

const changes = new Set("modified updated changed edited touched".split(" "));
/** Whether it names when a row was written last: `updated_at`, and `modifieddate` as one word. */
export const isNamedLikeLastChange = (name: string): boolean =>
  has(name, changes) ||
  /^(last)?(modified|updated?|changed?|modification)(at|on|date|time)?$/.test(wordsOf(name).join(""));

const numbers = new Set(
  "number no nr num line position pos seq sequence rank round nummer numero número".split(" "),
);
/** Whether it counts the parts of a thing, as `line_no` and `match_num` do. */
export const isNamedLikeNumber = (name: string): boolean => numbers.has(last(name));

const versions = new Set(
  (
    "language lang locale culture translation version generation edition release season period era " +
    "sprache ausgabe fassung idioma lengua langue lingua taal temporada saison stagione seizoen"
  ).split(" "),
);
/** Whether it says in which language or version something is told, which is meant to differ from one to another. */
export const isNamedLikeVersion = (name: string): boolean => has(name, versions);

const measures = new Set(
  (
    "odometer mileage km kilometers kilometres miles meters metres amount price sum total subtotal net gross tax fee " +
    "cost costs salary wage balance quantity qty count weight height width depth length distance temperature temp " +
    "pressure speed duration minutes seconds age population volume percent percentage betrag preis summe menge anzahl " +
    "gewicht importe precio cantidad peso montant prix quantité poids importo prezzo quantità bedrag prijs aantal"
  ).split(" "),
);
/** Whether it is measured or counted, and so alike in two rows by chance. */
export const isNamedLikeMeasure = (name: string): boolean => measures.has(last(name));

const states = new Set("status phase stage lifecycle".split(" "));
/** Whether it says how far something has come: what rows of one state have in common may change with the next. */
export const isNamedLikeState = (name: string): boolean => states.has(last(name));
