/** A file of a thousand orders for tests, with and without faults. */

const cities = ["Lisbon", "Porto", "Faro"];
/** Orders, one a line. Line 1 names the columns, so order 1 is row 1 and stands in line 2. */
export const orders = (change: (order: Record<string, string>, id: number) => void = () => {}) =>
  Array.from({ length: 1000 }, (_, index) => {
    const id = index + 1;
    const order: Record<string, string> = {
      id: `${id}`,
      order_no: `ORD-${100_000 + id}`,
      // 20.50 to 79.50
      price: `${20 + ((id * 13) % 60)}.50`,
      city: cities[id % 3] ?? "",
      placed: `2024-0${1 + (id % 9)}-1${id % 9}`,
    };
    change(order, id);
    return order;
  });
export const csv = (rows: Record<string, string>[], delimiter = ",") =>
  `${[Object.keys(rows[0] ?? {}), ...rows.map(Object.values)].map((cells) => cells.join(delimiter)).join("\n")}\n`;

/** One order number twice, one price six hundred times the usual, a word for a price, and a city without its capital. */
export const faulty = () =>
  csv(
    orders((order, id) => {
      if (id === 500) order.order_no = "ORD-100499";
      if (id === 90) order.price = "48000.00";
      if (id === 91) order.price = "many";
      if (id === 333) order.city = "lisbon";
    }),
  );
export const plantedInFile = [
  ["Duplicate", "order_no", ["499", "500"]],
  ["OutOfRange", "price", ["90"]],
  ["Type", "price", ["91"]],
  ["Variant", "city", ["333"]],
];

export type Found = {
  kind: string;
  tableName: string;
  columns: string[];
  failingRows: number;
  rowsSql: string | null;
  sample: { columns: { name: string }[]; rows: unknown[][] } | null;
};
export const inShort = (findings: readonly Found[]) =>
  findings
    .map(({ kind, columns, sample }) => [kind, columns[0], (sample?.rows ?? []).map(([row]) => row)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
