import * as z from "zod";
import { defaultConfig } from "../defaults.ts";
import { text, wholeNumber } from "../fields.ts";

/** The URL contains a password, so problems of it never show the value: see `checkStore`. */
export const storeSection = z.strictObject(
  {
    url: z
      .string({ error: "the address of a PostgreSQL database in quotes" })
      .exactOptional()
      .describe(
        "Keeps everything in this PostgreSQL database (14 or newer) instead of SQLite: `postgres://user:password@host:5432/database`. Another host needs `?sslmode=verify-full`. The variable `KUROMAJUTSU_DATABASE_URL` wins over it. Run `kuromajutsu migrate` once before the first start.",
      ),
    urlFile: text("a path")
      .exactOptional()
      .describe(
        "A file whose only line is that address, instead of `url`: keep it private (mode 0600). A relative path starts at the folder of this file.",
      ),
    connections: wholeNumber(2, 500)
      .default(defaultConfig().store.connections)
      .describe(
        "The most connections to PostgreSQL for requests. Up to eleven more are for live events, leases, lists of hosts, sign-in, upstream servers and transcripts.",
      ),
    lease_ms: wholeNumber(1_000, 600_000)
      .default(defaultConfig().store.lease_ms)
      .describe(
        "With PostgreSQL: a server that the others have not seen for this time is dead, and its agents are lost.",
      ),
  },
  { error: "a map with the keys url, urlFile, connections and lease_ms" },
);
