import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DRIVERS, type Driver } from "./drivers.ts";
import { aScene, inOrder, needs, report, runAgents, unless, type Scene } from "./kit.ts";

/** Tries to write, to edit and to run a command, and then reports. */
const triesEverything = (driver: Driver): Promise<Scene> => {
  const started: Promise<Scene> = aScene(driver, async (turn) => {
    const { directory: at } = await started;
    return inOrder(
      () => [{ write: `${at}/new.txt`, content: "one\n" }],
      () => [{ edit: `${at}/old.txt`, from: "beta", to: "gamma" }],
      () => [{ shell: `echo one > '${at}/shell.txt'` }],
      () => [report(turn)],
    )(turn);
  });
  return started;
};

const CANNOT_GO_ON: Partial<Record<Driver, string>> = {
  "codex-acp": "the CLI ends the turn when an edit is refused",
};

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a read-only role leaves nothing on disk", async () => {
    const scene = await triesEverything(driver);

    const agents = await runAgents(scene, [{ role: "code-review" }]);

    expect(readdirSync(scene.directory)).toEqual(["old.txt"]);
    expect(readFileSync(`${scene.directory}/old.txt`, "utf8")).toBe("alpha\nbeta\n");
    expect(agents).toMatchObject([{ result: { editedFiles: [], createdFiles: [] } }]);
    expect(scene.llm.turns.length).toBeGreaterThan(0);
  });

  test("a read-only role still reports after refused attempts to write", async (context) => {
    unless(context, CANNOT_GO_ON[driver]);
    const scene = await triesEverything(driver);

    const agents = await runAgents(scene, [{ role: "code-review" }]);

    const tried = scene.llm.turns.at(-1)?.results.map(({ tool }) => tool);
    expect(tried).toEqual(["write", "edit", "shell", "report_result"]);
    expect(agents).toMatchObject([{ status: "resultReported" }]);
  });
});
