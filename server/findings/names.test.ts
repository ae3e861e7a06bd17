import { expect, test } from "vitest";
import { isNamedLikeKey, isNamedLikeOptional, isNamedLikeProse } from "./names.ts";

test.each([
  ...["id", "orderId", "ORDER_NO", "sku", "custid"],
  ...["rechnungsnr", "Kundennummer", "artikel_nr", "idCliente", "cod_articulo", "codNacional", "numero"],
])("%s is named like a key", (name) => {
  expect(isNamedLikeKey(name)).toBe(true);
});

test.each([
  ...["name", "price", "numEmployees", "no_of_children", "nomenclature"],
  ...["amount_paid", "valid", "grid", "whiskey"],
  // Many live there.
  ...["codigoPostal", "codice_postale", "codigo_pais"],
])("%s is not", (name) => {
  expect(isNamedLikeKey(name)).toBe(false);
});

test.each(["vorgesetzter", "bemerkung", "austritt", "fechaBaja", "observaciones", "opmerking", "phone2"])(
  "%s may be empty for good reasons",
  (name) => {
    expect(isNamedLikeOptional(name)).toBe(true);
  },
);

test.each(["area_m2", "volume_m3", "co2", "nachname", "apellidos", "IsDeleted", "has_ended", "closed_flag"])(
  "%s may not",
  (name) => {
    expect(isNamedLikeOptional(name)).toBe(false);
  },
);

test("people write what they like into remarks, in any language", () => {
  expect(["Beschreibung", "descripcion", "commentaire"].map(isNamedLikeProse)).toEqual([true, true, true]);
  expect(isNamedLikeProse("bezeichnung")).toBe(false);
});
