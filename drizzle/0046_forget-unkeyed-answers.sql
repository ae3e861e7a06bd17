-- The hashes of answers about cells have a key from now on; those without one could be guessed, and match no cell any more.
DELETE FROM "taught_cells";
