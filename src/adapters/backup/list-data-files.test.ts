import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { listDataFiles } from "./list-data-files.ts";

test("a backup has no worktrees of agents and nothing of their git, but everything it does not know", () => {
  const dataDir = aTempDir();
  for (const folder of ["workspaces/ab12/wsp-1", "git/ab12", "later/kind"]) {
    mkdirSync(join(dataDir, folder), { recursive: true });
    writeFileSync(join(dataDir, folder, ".env"), "secret");
  }

  const { files, leftOut } = listDataFiles(dataDir);

  expect(files.map(({ path }) => path)).toEqual(["later/kind/.env"]);
  expect(leftOut).toEqual([]);
});
