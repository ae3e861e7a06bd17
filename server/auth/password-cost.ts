/**
 * What scrypt is made to cost for each password, a setting from OWASP's password storage cheat sheet: 64 MB, about 0.2 s.
 * Stored hashes carry their own, so it can be raised.
 */
export const passwordCost = { N: 2 ** 16, r: 8, p: 2 };
