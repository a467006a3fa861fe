import type { TestProject } from "vitest/node";
import { findPrograms, type Programs } from "./programs.ts";
import { startServer } from "./server.ts";
import { dropTemplates } from "./templates.ts";
import type { Address } from "./urls.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this run, or a sentence why there is none. */
    postgres:
      | { readonly address: Address; readonly programs: Programs }
      | { readonly missing: string };
  }
}

/** Starts one server for all tests of the run. Each test gets a database of its own. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const programs = findPrograms();
  if ("missing" in programs) {
    const missing = `No PostgreSQL runs on this machine. ${programs.missing}`;
    process.stderr.write(`The tests of PostgreSQL are skipped. ${missing}\n`);
    project.provide("postgres", { missing });
    return undefined;
  }
  const server = await startServer(programs);
  const address = { folder: server.folder, port: server.port };
  // The server of this run deletes the folders of the programs. The servers of single tests don't.
  project.provide("postgres", { address, programs: { ...programs, madeFolders: [] } });
  // In watch mode the code that builds a template may have changed.
  project.onTestsRerun(() => dropTemplates(address));
  return () => server.remove();
}
