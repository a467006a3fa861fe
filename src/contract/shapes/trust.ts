import { z } from "zod";

/** Settings that a configuration file found by searching may use only after a person trusts it. */
export const POWER_KINDS = [
  "server",
  "tool",
  "variable",
  "program",
  "host",
  "origin",
  "person",
  "slack",
  "role",
  "alerts",
  "telemetry",
  "store",
  "unplanned-tools",
  "stop",
  "workspace",
  "protection",
] as const;

export const powerShape = z.object({
  kind: z.enum(POWER_KINDS),
  name: z
    .string()
    .describe("Name of the server, tool, variable, program, host, origin, person, role or setting"),
  lines: z.array(z.string()).readonly().describe("The settings as lines of text"),
  isTrusted: z.boolean().describe("false: it is not used"),
});

export const fileTrustShape = z.object({
  path: z.string(),
  hash: z.string().describe("Hash of all powers of the file, for POST /api/config/trust"),
  powers: z.array(powerShape).readonly(),
  rules: z
    .array(z.string())
    .readonly()
    .describe("Approval rules and restrictions of roles, as lines; trusted with the file"),
  inUse: z.string().nullable().describe("Hash of the trusted powers; null: none"),
  problem: z.string().nullable().describe("Why the list of trusted files cannot be read"),
  command: z.string().describe("The command that trusts the file"),
});

export type PowerKind = (typeof POWER_KINDS)[number];
export type FileTrust = z.infer<typeof fileTrustShape>;
export type TrustedPower = z.infer<typeof powerShape>;
