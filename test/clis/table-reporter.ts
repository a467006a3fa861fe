import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { CLIS, type Cli } from "../kit/mock-llm/script.ts";
import { installedVersion } from "./installed.ts";
import { mergeTable, type Cell, type Place } from "./table.ts";

/** One table for the CLIs as main clients, one for them as agents. */
const PAGES = [
  { page: pageOf("clients.md"), isOf: (path: string) => basename(path).startsWith("clients") },
  { page: pageOf("runners.md"), isOf: (path: string) => !basename(path).startsWith("clients") },
];

type Result = Cell & { readonly path: string };

/** Writes the results of the run into the tables of docs/clients.md and docs/runners.md. */
export class TableReporter implements Reporter {
  readonly #results: Result[] = [];

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "skipped" || state === "pending") return;
    const path = test.module.moduleId;
    const isOk = state === "passed";
    this.#results.push(...placesOf(test).map((place) => ({ ...place, isOk, path })));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const versions = new Map<Cli, string>();
    for (const cli of CLIS) versions.set(cli, installedVersion(cli) ?? "not installed");
    for (const { page, isOf } of PAGES) {
      const cells = this.#results.filter(({ path }) => isOf(path));
      if (cells.length === 0 || !existsSync(page)) continue;
      const all = allPlaces(modules, isOf);
      writeFileSync(page, mergeTable(readFileSync(page, "utf8"), { versions, cells, all }));
    }
  }
}

/** Every check, also those that did not run; undefined if only some files were read. */
function allPlaces(
  modules: readonly TestModule[],
  isOf: (path: string) => boolean,
): readonly Place[] | undefined {
  const read = modules.filter(({ moduleId }) => isOf(moduleId));
  if (read.length < globSync("*.test.ts", { cwd: import.meta.dirname }).filter(isOf).length) {
    return undefined;
  }
  const sorted = read.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId));
  return sorted.flatMap((module) => [...module.children.allTests()].flatMap(placesOf));
}

/** The check that a test is; none if it is not about one CLI. */
function placesOf({ name, parent }: TestCase): readonly Place[] {
  return CLIS.filter((cli) => parent.type === "suite" && parent.name === cli).map((cli) => ({
    cli,
    check: name,
  }));
}

function pageOf(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}
