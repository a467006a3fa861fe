import { z } from "zod";

/** What a configuration file that was found by searching may do only after a person trusted it. */
export const POWER_KINDS = [
  "server",
  "tool",
  "variable",
  "host",
  "origin",
  "person",
  "role",
  "unplanned-tools",
  "stop",
  "protection",
] as const;

export const powerShape = z.object({
  kind: z.enum(POWER_KINDS),
  name: z
    .string()
    .describe("Name of the server, tool, variable, host, origin, person, role or setting"),
  lines: z.array(z.string()).readonly().describe("What exactly the file says, a line each"),
  isTrusted: z.boolean().describe("false: it is not used"),
});

export const fileTrustShape = z.object({
  path: z.string(),
  hash: z.string().describe("Of all powers of the file; POST /api/config/trust takes it"),
  powers: z.array(powerShape).readonly(),
  rules: z
    .array(z.string())
    .readonly()
    .describe("Who decides, and what restricts roles, a line each; agreed to with the file"),
  inUse: z.string().nullable().describe("Hash of all that is trusted of it; null: nothing is"),
  problem: z.string().nullable().describe("Why the list of trusted files cannot be read"),
  command: z.string().describe("What to type in a terminal to trust the file"),
});

export type PowerKind = (typeof POWER_KINDS)[number];
export type FileTrust = z.infer<typeof fileTrustShape>;
export type TrustedPower = z.infer<typeof powerShape>;
