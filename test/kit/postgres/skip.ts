import { beforeEach, inject } from "vitest";

// A setup file of the project: without a server its tests are skipped, and say why.
beforeEach(({ skip }) => {
  const postgres = inject("postgres");
  if ("missing" in postgres) skip(postgres.missing);
});
