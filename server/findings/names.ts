/** What the names of columns say about their values. English names, in any way of writing them; a hint, never proof. */

/** `orderItemId`, `ORDER_ITEM_ID` and `order item id` in their words, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

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
]);
/** Whether it names what identifies a thing: `id`, `order_no`, `sku`, `customerKey`, and `custid` as one word. */
export const isNamedLikeKey = (name: string): boolean =>
  keys.has(last(name)) ||
  /^[a-z]{2,}(id|key|code)$/i.test(last(name)) ||
  has(name, new Set(["email", "username", "login"]));

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
]);
/** Whether rows often have nothing there for good reasons. */
export const isNamedLikeOptional = (name: string): boolean => has(name, optional) || /(2|3)$/.test(name);

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
]);
/** Whether people write there what they like. */
export const isNamedLikeProse = (name: string): boolean => has(name, prose);
