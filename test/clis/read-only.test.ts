import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DRIVERS } from "./drivers.ts";
import { aScene, inOrder, needs, report, runAgents, type Scene } from "./kit.ts";

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a read-only role leaves nothing on disk and still reports", async () => {
    const scene: Scene = await aScene(driver, (turn) => {
      const at = scene.directory;
      return inOrder(
        () => [{ write: `${at}/new.txt`, content: "one\n" }],
        () => [{ edit: `${at}/old.txt`, from: "beta", to: "gamma" }],
        () => [{ shell: `echo one > '${at}/shell.txt'` }],
        () => [report(turn)],
      )(turn);
    });

    const agents = await runAgents(scene, [{ role: "code-review" }]);

    expect(readdirSync(scene.directory)).toEqual(["old.txt"]);
    expect(readFileSync(`${scene.directory}/old.txt`, "utf8")).toBe("alpha\nbeta\n");
    const tried = scene.llm.turns.at(-1)?.results.map(({ tool }) => tool);
    expect(tried).toEqual(["write", "edit", "shell", "report_result"]);
    expect(agents).toMatchObject([
      { status: "resultReported", result: { editedFiles: [], createdFiles: [] } },
    ]);
  });
});
