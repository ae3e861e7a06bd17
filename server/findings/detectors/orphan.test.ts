import { describe, expect, test } from "vitest";
import { databaseOf, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { orphans } from "./orphan.ts";

const seeds = [1, 2, 3, 4, 5];
const list = <T>(length: number, cell: (row: number) => T): T[] =>
  Array.from({ length }, (_, row) => cell(row));
const say = (...tables: Parameters<typeof databaseOf>) =>
  saidBy(orphans, databaseOf(...tables)).map(({ table, columns, rows, condition, statement }) => ({
    table: table.tableName,
    columns,
    rows: [...rows],
    condition,
    statement,
  }));
const counter = (length: number) => list(length, (row) => row + 1);

describe("what is wrong is found", () => {
  test.each(seeds)("a customer that does not exist, in any language (seed %i)", (seed) => {
    const random = randomOf(seed);
    const said = say(
      tableOf("kunden", { nr: ["integer", counter(90)], punkte: ["integer", counter(90)] }),
      tableOf("lieferanten", { nr: ["integer", counter(900)] }),
      tableOf("bestellungen", {
        nr: ["integer", counter(2000)],
        kunde_nr: [
          "integer",
          list(2000, (row) => (row === 8 || row === 900 ? 400 + row : random.whole(1, 90))),
        ],
        menge: ["integer", list(2000, (row) => (row === 3 ? 1200 : random.whole(1, 80)))],
      }),
    );
    expect(said).toEqual([
      {
        table: "bestellungen",
        columns: ["kunde_nr"],
        rows: [8, 900],
        condition: {
          is: "orphan",
          column: "kunde_nr",
          parent: { schemaName: "public", tableName: "kunden", columnName: "nr" },
        },
        statement:
          "2 of 2,000 rows of bestellungen have a kunde_nr that is no nr in kunden; all others have one that is.",
      },
    ]);
  });

  test.each(seeds)("an address by its role, where 0 stands for none (seed %i)", (seed) => {
    const random = randomOf(seed);
    const said = say(
      tableOf("addresses", { id: ["integer", counter(300)] }),
      tableOf("orders", {
        id: ["integer", counter(1000)],
        billing_address_id: [
          "integer",
          list(1000, (row) => (row === 55 ? 301 : random.chance(0.3) ? 0 : random.whole(1, 300))),
        ],
      }),
    );
    expect(said.map(({ columns, rows }) => [columns, rows])).toEqual([[["billing_address_id"], [55]]]);
  });

  test.each(seeds)("codes need no name (seed %i)", (seed) => {
    const random = randomOf(seed);
    const codes = [...new Set(list(60, () => list(3, () => random.pick([..."ABCDEFGHJKLMN"])).join("")))];
    const said = say(
      tableOf("airports", { iata: ["text", codes], city: ["text", codes.map((code) => `City ${code}`)] }),
      tableOf("legs", {
        origin: ["text", list(800, (row) => (row === 70 ? "XXZ" : random.pick(codes)))],
        remark: [
          "text",
          list(800, () => random.pick(["late", "ok", "none", "diverted", "full", "half", "x"])),
        ],
      }),
    );
    expect(said.map(({ columns, rows }) => [columns, rows])).toEqual([[["origin"], [70]]]);
  });

  test.each(seeds)("names of one word end with the key's name (seed %i)", (seed) => {
    const random = randomOf(seed);
    const people = (key: string) =>
      tableOf("PERSON", {
        [key]: ["integer", counter(300)],
        SURNAME: ["text", list(300, (row) => `Name ${row}`)],
      });
    const proposals = (name: string) =>
      tableOf("PROPOSAL", {
        PROPNO: ["integer", counter(500)],
        [name]: ["integer", list(500, (row) => (row === 8 ? 4711 : random.whole(1, 300)))],
      });
    const columns = (...tables: Parameters<typeof say>) =>
      say(...tables).map(({ columns, rows }) => [columns, rows]);
    expect(columns(people("PERSID"), proposals("PIPERSID"))).toEqual([[["PIPERSID"], [8]]]);
    // Any word may end with a short one.
    expect(columns(people("PID"), proposals("GRIPID"))).toEqual([]);
  });

  test.each(seeds)("a manager who is no employee (seed %i)", (seed) => {
    const random = randomOf(seed);
    const said = say(
      tableOf("employees", {
        id: ["integer", counter(200)],
        manager_id: [
          "integer",
          list(200, (row) => (row === 0 ? null : row === 150 ? 999 : random.whole(1, 20))),
        ],
      }),
    );
    expect(said.map(({ columns, rows }) => [columns, rows])).toEqual([[["manager_id"], [150]]]);
  });
});

test.each(seeds)(
  "a code of the same name points to the table where each is there once, or nearly (seed %i)",
  (seed) => {
    const random = randomOf(seed);
    const numbers = list(800, (row) => `4476${10_000_000 + row * 977}`);
    const said = say(
      tableOf("subscribers", {
        id: ["integer", counter(804)],
        // Some numbers were given out again.
        msisdn: ["text", [...numbers, ...numbers.slice(0, 4)]],
      }),
      tableOf("portings", {
        code: ["text", list(400, (row) => `P${row}`)],
        msisdn: ["text", list(400, (row) => (row === 33 ? "447699999999" : random.pick(numbers)))],
      }),
    );
    expect(said.map(({ table, columns, rows }) => [table, columns, rows])).toEqual([
      ["portings", ["msisdn"], [33]],
    ]);
  },
);

describe("what is found by names of other languages", () => {
  test.each([
    ["rechnungsnr", "rechnungen", "rechnungsnr", "zahlungen"],
    ["idCliente", "Clientes", "id", "Pedidos"],
    ["codNacional", "Farmacos", "codNacional", "Recetas"],
    ["mgr_emp_no", "employees", "emp_no", "employees"],
  ])("%s points to %s", (child, parents, key, children) => {
    const random = randomOf(6);
    const numbers = list(300, (row) => `N${1000 + row * 7}`);
    const values = list(300, (row) => (row === 33 ? "N9999" : random.pick(numbers)));
    const said =
      parents === children
        ? say(tableOf(parents, { [key]: ["text", numbers], [child]: ["text", values] }))
        : say(
            tableOf(parents, { [key]: ["text", numbers] }),
            tableOf(children, { nr: ["integer", counter(300)], [child]: ["text", values] }),
          );
    expect(said.map(({ table, columns, rows }) => [table, columns, rows])).toEqual([
      [children, [child], [33]],
    ]);
  });
});

describe("what is well is left alone", () => {
  test("a copy of the tables in another schema, with some rows more", () => {
    const schema = (schemaName: string, orders: number) => [
      tableOf("customers", { id: ["integer", counter(200)] }, { schemaName }),
      tableOf(
        "orders",
        {
          order_no: ["text", list(orders, (row) => `SO-${row}`)],
          customer_id: ["integer", list(orders, (row) => 1 + (row % 200))],
        },
        { schemaName },
      ),
    ];
    expect(say(...schema("staging", 620), ...schema("core", 600))).toEqual([]);
  });

  test.each(seeds)("a column that points to one of several tables, as its prefixes say (seed %i)", (seed) => {
    const random = randomOf(seed);
    const contacts = list(300, (row) => `003Qx${1000 + row}`);
    const parents = tableOf("contacts", { id: ["text", contacts] });
    const whoIds = list(900, (row) => (row % 15 === 0 ? `00QQx${5000 + row}` : random.pick(contacts)));
    const tasks = (cells: string[]) =>
      say(parents, tableOf("tasks", { id: ["integer", counter(900)], who_id: ["text", cells] }));
    expect(tasks(whoIds)).toEqual([]);
    // A contact that does not exist is still one.
    const [found, ...others] = tasks(whoIds.map((id, row) => (row === 7 ? "003Qx9999" : id)));
    expect(others).toEqual([]);
    expect(found?.rows).toEqual([7]);
    // Those of a year that nobody has loaded are missing there.
    const orders = list(300, (row) => `2025-${1000 + row}`);
    const said = say(
      tableOf("orders", { id: ["text", orders] }),
      tableOf("lines", {
        id: ["integer", counter(900)],
        order_id: ["text", list(900, (row) => (row % 15 === 0 ? `2026-${1000 + row}` : random.pick(orders)))],
      }),
    );
    expect(said.map(({ columns, rows }) => [columns, rows.length])).toEqual([[["order_id"], 60]]);
  });

  test.each(seeds)(
    "amounts that are kept as texts beside keys that are counted, as texts (seed %i)",
    (seed) => {
      const random = randomOf(seed);
      const firms = tableOf("firms", { firm: ["text", counter(600).map(String)] });
      const said = say(
        firms,
        tableOf("entries", {
          entry: ["text", list(2000, (row) => `E${row}`)],
          duty: ["text", list(2000, () => String(Math.floor(Math.exp(4 + random.normal() * 1.4))))],
          chapter: ["text", list(2000, () => String(random.whole(1, 97)).padStart(2, "0"))],
        }),
      );
      expect(said).toEqual([]);
      // Whose name says so points there nevertheless.
      const named = say(
        firms,
        tableOf("entries", {
          firm: ["text", list(2000, (row) => String(row === 12 ? 9999 : random.whole(1, 600)))],
        }),
      );
      expect(named.map(({ columns, rows }) => [columns, rows])).toEqual([[["firm"], [12]]]);
    },
  );

  test("invoices that are not paid yet: they do not point to payments", () => {
    const invoices = list(500, (row) => `RE-${10_000 + row}`);
    const said = say(
      tableOf("rechnungen", { rechnungsnr: ["text", invoices] }),
      tableOf("zahlungen", {
        zahlung_id: ["integer", counter(470)],
        rechnungsnr: ["text", invoices.slice(0, 470)],
      }),
    );
    expect(said).toEqual([]);
  });

  test.each(seeds)("numbers and words that are in other tables by chance (seed %i)", (seed) => {
    const random = randomOf(seed);
    const said = say(
      tableOf("customers", {
        id: ["integer", counter(500)],
        age: ["integer", list(500, () => random.poisson(40))],
      }),
      tableOf("rooms", { id: ["integer", counter(30)], size: ["integer", list(30, (row) => row * 2 + 9)] }),
      tableOf("visits", {
        id: ["integer", counter(480)],
        guests: ["integer", list(480, () => random.poisson(12))],
        minutes: ["integer", list(480, () => random.whole(1, 510))],
        mood: ["text", list(480, () => random.pick(["good", "bad", "so so"]))],
      }),
    );
    expect(said).toEqual([]);
  });

  test.each(seeds)(
    "a table beside another with some of its rows, and one that was read in part (seed %i)",
    (seed) => {
      const random = randomOf(seed);
      const said = say(
        tableOf("employees", { employee_id: ["integer", counter(200)] }),
        tableOf("badges", {
          employee_id: ["integer", counter(200).filter((id) => id % 50 !== 0)],
          number: ["integer", list(196, () => random.whole(1e6, 9e6))],
        }),
        tableOf("customers", { id: ["integer", counter(300)] }, { isWhole: false, totalRows: 9000 }),
        tableOf("orders", { customer_id: ["integer", list(700, () => random.whole(1, 310))] }),
      );
      expect(said).toEqual([]);
    },
  );

  test.each(seeds)("what the database itself sees to (seed %i)", (seed) => {
    const random = randomOf(seed);
    const references = { schemaName: "public", tableName: "customers", columnName: "id" };
    const said = say(
      tableOf("customers", { id: ["integer", counter(30)] }),
      tableOf("orders", {
        customer_id: ["integer", list(700, (row) => (row === 9 ? 77 : random.whole(1, 30))), { references }],
      }),
    );
    expect(said).toEqual([]);
  });

  test.each(seeds)("balances, of which each is the one before (seed %i)", (seed) => {
    const random = randomOf(seed);
    const balances = list(141, () => (random.next() * 90_000).toFixed(2));
    const said = say(
      tableOf("statements", {
        opening: ["decimal", balances.slice(0, -1)],
        closing: ["decimal", balances.slice(1)],
      }),
    );
    expect(said).toEqual([]);
  });

  test("the numbers of a table's own rows, in a name of one word, are those of no other column", () => {
    // Addresses are numbered from 1 on, and belong to persons from 101 to 1,000: most numbers are both.
    const addresses = tableOf("emailaddress", {
      emailaddressid: ["integer", counter(900)],
      personid: ["integer", list(900, (row) => 101 + row)],
    });
    const persons = tableOf("person", { personid: ["integer", counter(1000)] });
    expect(say(persons, addresses)).toEqual([]);
  });

  test("days of a rental are no customers, though one customer has a number far off", () => {
    const customers = tableOf("customer", { customer_id: ["integer", [...counter(599), 9999]] });
    const films = tableOf("film", {
      film_id: ["integer", counter(1000)],
      rental_duration: ["integer", list(1000, (row) => (row === 600 ? 700 : 3 + (row % 5)))],
    });
    expect(say(customers, films)).toEqual([]);
  });
});

describe("numbers that are keys elsewhere by chance", () => {
  const two = [...counter(300), ...list(60, (row) => 10_001 + row)];
  const heights = ["integer", list(1300, (row) => (row === 9 ? 310 : 1 + (row % 90)))] as const;

  test("of keys in two stretches, of which each leaves none out", () => {
    const abilities = tableOf("abilities", {
      id: ["integer", two],
      name: ["text", two.map((id) => `a${id}`)],
    });
    expect(say(abilities, tableOf("animals", { height: heights }))).toEqual([]);
  });

  test("of what is just different in each row, and names none", () => {
    const levels = list(120, (row) => row * row * 7);
    const growth = tableOf("growth", { level: ["integer", counter(120)], experience: ["integer", levels] });
    const ailments = list(800, (row) => (row === 5 ? 11 : (row % 9) * (row % 9) * 7));
    expect(say(growth, tableOf("meta", { ailment: ["integer", ailments] }))).toEqual([]);
  });

  test("of a place in line, which two things may both have", () => {
    const natures = tableOf("natures", {
      id: ["integer", counter(25)],
      game_index: ["integer", list(25, (row) => row)],
    });
    const games = tableOf("games", {
      game_index: ["integer", list(900, (row) => (row === 3 ? 30 : row % 25))],
    });
    expect(say(natures, games)).toEqual([]);
  });
});

test("a table that is called by more words than the column", () => {
  const ailments = tableOf("move_meta_ailments", { id: ["integer", counter(22)] });
  const meta = tableOf("move_meta", {
    meta_ailment_id: ["integer", list(800, (row) => (row === 700 ? 40 : 1 + (row % 22)))],
  });
  expect(say(ailments, meta).map(({ columns, rows }) => [columns, rows])).toEqual([
    [["meta_ailment_id"], [700]],
  ]);
});

test("numbers of rows, which several tables give their rows under one name, refer to none of them", () => {
  const numbered = (name: string, rows: number) =>
    tableOf(name, {
      row_key: ["integer", counter(rows)],
      title: ["text", list(rows, (row) => `${name} ${row}`)],
    });
  const [games, squads, cups] = [numbered("games", 500), numbered("squads", 510), numbered("cups", 300)];
  expect(say(games, squads, cups)).toEqual([]);
  // Of two tables, one may go on with what is in the other.
  expect(say(games, squads).map(({ table, columns }) => [table, columns])).toEqual([["squads", ["row_key"]]]);
});

test("what an order goes on from points to orders, and not the other way round", () => {
  const orders = tableOf("events", {
    event: ["integer", list(500, (row) => row)],
    order_id: ["integer", list(500, (row) => 1000 + row * 13)],
    linkorder_id: ["integer", list(500, (row) => 1000 + (row % 125 === 7 ? row - 1 : row) * 13)],
  });
  expect(say(orders)).toEqual([]);
});

test("trucks of others, which have no round of ours either, are explained; one that is missing here is not", () => {
  const plates = list(80, (row) => `K-${1000 + row * 7}`);
  const weighings = (plate: (row: number) => string, round: (row: number) => number | null) =>
    tableOf("weighings", { plate: ["text", list(1500, plate)], round_id: ["integer", list(1500, round)] });
  const trucks = tableOf("trucks", { plate: ["text", plates] });
  const explained = (...of: Parameters<typeof weighings>) =>
    saidBy(orphans, databaseOf(trucks, weighings(...of))).map(({ features }) => features.explained);
  const isOther = (row: number) => row % 60 === 7;
  const ours = (row: number) => plates[row % 80] ?? "";
  const without = (row: number) => (isOther(row) ? null : row % 300);
  expect(explained((row) => (isOther(row) ? `X-${row % 180}` : ours(row)), without)).toEqual([1]);
  expect(explained((row) => (isOther(row) ? "X-1" : ours(row)), without)).toEqual([0]);
});

test("what the other table writes otherwise is told however often it is, and how it is written there", () => {
  const names = [
    "GTX Basic",
    "GTX Pro",
    "GTX Plus Basic",
    "GTX Plus Pro",
    "MG Special",
    "MG Advanced",
    "GTK 500",
  ];
  const products = tableOf("products", { product: ["text", names], series: ["text", names] });
  const sales = (pro: string) =>
    tableOf("sales", {
      product: ["text", list(1400, (row) => (row % 7 === 1 ? pro : (names[row % 7] ?? "")))],
    });
  expect(say(products, sales("GTXPro")).map(({ rows, statement }) => [rows.length, statement])).toEqual([
    [
      200,
      "200 of 1,400 rows of sales have a product that is no product in products; all others have one that is: “GTXPro” is “GTX Pro” there.",
    ],
  ]);
  // Of one in seven that is another thing, nothing is said.
  expect(say(products, sales("Service"))).toEqual([]);
});
