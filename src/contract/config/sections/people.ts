import * as z from "zod";
import { oneOf, text, list } from "../fields.ts";

const PERSON_RULE = "the id of a person: letters, digits and . _ @ -, at most 80 characters";
/** Actors in the audit that are not people. */
const RESERVED_PEOPLE = ["system", "main", "unknown"];
export const personId = z
  .string({ error: PERSON_RULE })
  .regex(/^[A-Za-z0-9][\w.@-]{0,79}$/, { error: PERSON_RULE })
  .refine((id) => !RESERVED_PEOPLE.includes(id), {
    error: `the id of a person, other than ${RESERVED_PEOPLE.join(", ")}`,
  });
export const people = z
  .array(personId, { error: "a list of people" })
  .min(1, { error: "a list of people, not empty" });

export const userSection = z.strictObject(
  {
    id: personId.describe("The person's id in approvals and in the audit."),
    name: text().exactOptional().describe("Name shown to people. Left out: the id."),
    role: oneOf(["viewer", "operator", "admin"])
      .default("operator")
      .describe(
        "`viewer` looks, `operator` also asks, decides and stops, `admin` also configures.",
      ),
    tokenHash: z
      .string({ error: "the hash `kuromajutsu user add` wrote" })
      .regex(/^[0-9a-f]{64}$/, { error: "the hash `kuromajutsu user add` wrote" })
      .describe("sha256 of the person's token; the token itself is nowhere."),
  },
  { error: "a map that describes one person" },
);

export const authSection = z.strictObject(
  {
    users: list(userSection, "a list of people").describe(
      "People who may sign in. Empty: sign-in is off, and every user of this machine is the person `local`.",
    ),
  },
  { error: "a map with the key users" },
);
