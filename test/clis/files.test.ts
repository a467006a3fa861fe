import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DRIVERS } from "./drivers.ts";
import { aScene, inOrder, needs, report, runAgents, tokensOf } from "./kit.ts";

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("edits an old file, creates a new one and reports", async () => {
    const scene = await aScene(driver, (turn) =>
      inOrder(
        () => [
          { say: "I change the files." },
          { edit: `${scene.directory}/old.txt`, from: "beta", to: "gamma" },
        ],
        () => [{ write: `${scene.directory}/new.txt`, content: "one\ntwo\n" }],
        () => [report(turn)],
      )(turn),
    );

    const agents = await runAgents(scene);

    expect(agents).toMatchObject([
      {
        status: "resultReported",
        result: {
          status: "success",
          exitCode: 0,
          editedFiles: [`${scene.directory}/old.txt`],
          createdFiles: [`${scene.directory}/new.txt`],
        },
      },
    ]);
    expect(agents[0]?.result.usage).toEqual(tokensOf(driver, scene.llm.answers));
    expect(readFileSync(`${scene.directory}/old.txt`, "utf8")).toBe("alpha\ngamma\n");
    expect(readFileSync(`${scene.directory}/new.txt`, "utf8")).toBe("one\ntwo\n");
  });
});
