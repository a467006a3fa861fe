import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { CLIS } from "../kit/mock-llm/script.ts";
import { ACP_DRIVERS, DRIVERS, versionOf, type Driver } from "./drivers.ts";
import {
  columnsOf,
  FAILS,
  mergeTable,
  NOT_APPLICABLE,
  NOT_RUN,
  type Cell,
  type Place,
  type Table,
} from "./table.ts";

type Page = {
  readonly path: string;
  readonly isOf: (test: string) => boolean;
  readonly tables: readonly Table[];
};

const isOfClients = (test: string) => basename(test).startsWith("clients");
const BEGIN = "<!-- begin: written by `npm run test:clis` -->";
const BEGIN_ACP = "<!-- begin: ACP, written by `npm run test:clis` -->";

/** One page for the CLIs as main clients, one for them as agents. */
const PAGES: readonly Page[] = [
  {
    path: pageOf("runner-facts.md"),
    isOf: (test) => !isOfClients(test),
    tables: [
      { begin: BEGIN, drivers: CLIS },
      { begin: BEGIN_ACP, drivers: ACP_DRIVERS },
    ],
  },
  { path: pageOf("clients.md"), isOf: isOfClients, tables: [{ begin: BEGIN, drivers: CLIS }] },
];

type Result = Cell & { readonly test: string };

/** Writes the results into the tables of docs/clients.md and docs/runner-facts.md, and sums them up. */
export class TableReporter implements Reporter {
  readonly #results: Result[] = [];
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    const note = result.state === "skipped" ? result.note : undefined;
    const reason = note?.startsWith(NOT_APPLICABLE) ? note.slice(NOT_APPLICABLE.length) : undefined;
    if (reason === undefined && result.state !== "passed" && result.state !== "failed") return;
    const isOk = result.state !== "failed";
    const more = { isOk, test: test.module.moduleId, ...(reason !== undefined && { reason }) };
    this.#results.push(...placesOf(test).map((place) => ({ ...place, ...more })));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const versions = new Map<Driver, string>();
    for (const driver of DRIVERS) versions.set(driver, versionOf(driver) ?? "not installed");
    for (const { path, isOf, tables } of PAGES) {
      const cells = this.#results.filter(({ test }) => isOf(test));
      const all = allPlaces(modules, isOf);
      if (all && !this.#isFiltered && !all.every((place) => cells.some(isAt(place)))) {
        // A CLI that could not be installed must not look like one that passed.
        process.exitCode = 1;
        process.stdout.write(`\nSome checks of docs/${basename(path)} did not run.\n`);
      }
      if (cells.length === 0 || !existsSync(path)) continue;
      const page = tables.reduce(
        (text, table) => mergeTable(text, table, { versions, cells, all }),
        readFileSync(path, "utf8"),
      );
      writeFileSync(path, page);
      process.stdout.write(summaryOf(basename(path), page, tables));
    }
  }
}

const isAt = (a: Place) => (b: Place) => a.driver === b.driver && a.check === b.check;

/** One line per column of the page, and one per check that fails. */
function summaryOf(name: string, page: string, tables: readonly Table[]): string {
  const lines = tables.flatMap((table) =>
    columnsOf(page, table).flatMap(({ driver, cells }) => {
      const having = (result: string) => cells.filter((cell) => cell.result === result);
      const failing = having(FAILS);
      const missing = having(NOT_RUN);
      const counts = `${having("ok").length} ok, ${failing.length} failing, ${missing.length} not run`;
      return [
        `  ${driver.padEnd(14)}${counts}`,
        ...failing.map(({ check }) => `    fails: ${check}`),
        // Without this a column that has never run would fill the screen.
        ...(missing.length < cells.length ? missing : []).map(
          ({ check }) => `    not run: ${check}`,
        ),
      ];
    }),
  );
  return `\ndocs/${name} now says:\n${lines.join("\n")}\n`;
}

/** Every check, also those that did not run; undefined if only some files were read. */
function allPlaces(
  modules: readonly TestModule[],
  isOf: (test: string) => boolean,
): readonly Place[] | undefined {
  const read = modules.filter(({ moduleId }) => isOf(moduleId));
  if (read.length < globSync("*.test.ts", { cwd: import.meta.dirname }).filter(isOf).length) {
    return undefined;
  }
  const sorted = read.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId));
  return sorted.flatMap((module) => [...module.children.allTests()].flatMap(placesOf));
}

/** The check that a test is; none if it is not about one driver. */
function placesOf({ name, parent }: TestCase): readonly Place[] {
  return DRIVERS.filter((driver) => parent.type === "suite" && parent.name === driver).map(
    (driver) => ({ driver, check: name }),
  );
}

function pageOf(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}
