import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { CLIS, type Cli } from "../kit/mock-llm/script.ts";
import { installedVersion } from "./installed.ts";
import { mergeTable, type Cell } from "./table.ts";

const PAGE = fileURLToPath(new URL("../../docs/runners.md", import.meta.url));

/** Writes the results of the run into the table of docs/runners.md. */
export class TableReporter implements Reporter {
  readonly #cells: Cell[] = [];

  onTestCaseResult(test: TestCase): void {
    const cli = CLIS.find((each) => test.parent.type === "suite" && test.parent.name === each);
    const { state } = test.result();
    if (cli === undefined || state === "skipped" || state === "pending") return;
    this.#cells.push({ cli, check: test.name, isOk: state === "passed" });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#cells.length === 0 || !existsSync(PAGE)) return;
    const versions = new Map<Cli, string>();
    for (const cli of CLIS) versions.set(cli, installedVersion(cli) ?? "not installed");
    const page = readFileSync(PAGE, "utf8");
    writeFileSync(
      PAGE,
      mergeTable(page, { versions, cells: this.#cells, checks: allChecks(modules) }),
    );
  }
}

/** The names of all checks, also of those that did not run; undefined if only some files were read. */
function allChecks(modules: readonly TestModule[]): readonly string[] | undefined {
  if (modules.length < globSync("*.test.ts", { cwd: import.meta.dirname }).length) return undefined;
  const paths = modules.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId));
  return paths.flatMap((module) => [...module.children.allTests()].map(({ name }) => name));
}
