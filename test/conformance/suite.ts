import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import type { TestDaemon } from "./daemon.ts";
import { binOf, runNode } from "./node-child.ts";

const MANIFEST = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/conformance/package.json"),
);

const checks = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);
const requirements = z.object({
  server: z.array(z.string()),
  not_scored: z.array(z.object({ scenario: z.string(), leg: z.string() })),
});

/** Failures by scenario; an empty list means that it passed. */
export type SuiteResult = ReadonlyMap<string, readonly string[]>;

/** Runs the official suite against a daemon with one protocol revision. */
export async function runSuite(revision: string, daemon: TestDaemon): Promise<SuiteResult> {
  const output = join(daemon.dir, `results-${revision}`);
  const suite = binOf(MANIFEST, "conformance");
  const ended = await runNode(
    [suite, "server", "--url", daemon.mcpUrl, "--requirements", revision, "--output-dir", output],
    { cwd: daemon.dir, env: daemon.env },
  );
  const saved = savedResults(output);
  const didNotRun = `did not run: ${ended.stderr.slice(-500) || ended.stdout.slice(-500)}`;
  return new Map(
    scenariosOf(revision).map((scenario) => [scenario, saved.get(scenario) ?? [didNotRun]]),
  );
}

/** Required scenarios of the revision, and those that the suite runs without scoring. */
function scenariosOf(revision: string): string[] {
  const path = join(dirname(MANIFEST), "requirements", `${revision}.yaml`);
  const { server, not_scored } = requirements.parse(parse(readFileSync(path, "utf8")));
  const unscored = not_scored.filter(({ leg }) => leg === "server");
  return [...server, ...unscored.map(({ scenario }) => scenario)];
}

/** Each scenario that ran left `server-<scenario>-<time>/checks.json`. */
function savedResults(output: string): SuiteResult {
  return new Map(
    globSync("*/checks.json", { cwd: output }).map((path) => {
      const scenario = dirname(path)
        .replace(/^server-/, "")
        .replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, "");
      const found = checks.parse(JSON.parse(readFileSync(join(output, path), "utf8")));
      return [scenario, complaints(found)];
    }),
  );
}

/** Warnings are the protocol's "should"; they count as failures too. */
function complaints(found: z.infer<typeof checks>): string[] {
  if (found.length === 0) return ["checked nothing"];
  return found
    .filter(({ status }) => status === "FAILURE" || status === "WARNING")
    .map(({ id, status, errorMessage }) => `${id} ${status}: ${errorMessage ?? "no reason given"}`);
}
