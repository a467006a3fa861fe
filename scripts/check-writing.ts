// `node scripts/check-writing.ts [path…]` checks comments, test names and documents by the rules in
// writing-rules.ts. Without paths it checks CLEAN, as `npm run lint` does.
import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findFragments } from "./writing-rules.ts";

/** Files and folders that follow the rules. Add a folder here once it is rewritten. */
const CLEAN: readonly string[] = [
  "AGENTS.md",
  "CONTRIBUTING.md",
  "README.ja.md",
  "README.md",
  "SECURITY.md",
  "bench",
  "bin",
  "docker-compose.yml",
  "docs/adr",
  "docs/architecture.md",
  "docs/clients.md",
  "docs/configuration.md",
  "docs/docker.md",
  "docs/gateway.md",
  "docs/glossary.md",
  "docs/map.md",
  "docs/mcp-tools.md",
  "docs/people.md",
  "docs/rehearsal.md",
  "docs/rest-and-live.md",
  "docs/runner-facts.md",
  "docs/runners.md",
  "docs/slack-cards.md",
  "docs/slack.ja.md",
  "docs/slack.md",
  "docs/spec.md",
  "docs/tasks.md",
  "examples",
  "scripts",
  "src",
  "test/clis",
  "test/compat",
  "test/conformance",
  "test/contract",
  "test/docker",
  "test/e2e",
  "test/examples",
  "test/kit",
  "test/web",
  "web/src",
];

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES = "**/*.{ts,tsx,js,mjs,md,yml,yaml}";

const paths = process.argv.length > 2 ? process.argv.slice(2) : CLEAN;
const findings = paths
  .flatMap(filesOf)
  .flatMap((file) =>
    findFragments(file, readFileSync(`${ROOT}/${file}`, "utf8")).map(
      ({ line, sentence, reason }) => `${file}:${line}: ${reason}\n    ${sentence}`,
    ),
  );
if (findings.length > 0) {
  process.stderr.write(`${findings.join("\n")}\n\n${findings.length} sentences to rewrite; `);
  process.stderr.write("docs/writing.md says how.\n");
  process.exitCode = 1;
}

function filesOf(path: string): readonly string[] {
  if (statSync(`${ROOT}/${path}`).isFile()) return [path];
  return globSync(`${path}/${FILES}`, { cwd: ROOT })
    .filter((file) => !file.includes("node_modules/"))
    .toSorted();
}
