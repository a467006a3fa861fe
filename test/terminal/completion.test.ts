import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aDaemon, aPlace, command } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";

test("bash completes commands, options, actions and the ids of tasks", async () => {
  const place = aPlace();
  await aDaemon(place);
  await command(place, ["run", "ノートを整理して", "--detach"]);
  const script = await command(place, ["completion", "bash"]);
  const file = join(place.dir, "completion.sh");
  writeFileSync(file, script.stdout);
  const pty = aPty(place, ["--norc", "--noprofile"], {
    program: "/bin/bash",
    env: { PS1: "$ ", INPUTRC: "/dev/null" },
    columns: 120,
  });
  await pty.waitFor("$ ");
  pty.type(`source ${file}; echo rea''dy${KEYS.enter}`);
  await pty.waitFor(/^ready/m);

  pty.type(`kuromajutsu appr${KEYS.tab}`);
  await pty.waitFor(/kuromajutsu approvals $/m);
  pty.type(`--js${KEYS.tab}`);
  await pty.waitFor(/kuromajutsu approvals --json $/m);
  pty.type(KEYS.ctrlC);
  await pty.waitFor(/^\$ $/m);
  pty.type(`kuromajutsu tasks ${KEYS.tab}`);
  await pty.waitFor(/kuromajutsu tasks task-\w{26} $/m);
  pty.type(`foll${KEYS.tab}`);
  await pty.waitFor(/kuromajutsu tasks task-\w{26} follow $/m);
  expect(script.code).toBe(0);
});

test("completion starts no daemon and does not fail without one", async () => {
  const place = aPlace();

  const ids = await command(place, ["__complete", "tasks", ""]);
  const options = await command(place, ["__complete", "run", "text", "--"]);

  expect(ids).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(options.stdout).toMatch(/^--detach\t/m);
  expect((await command(place, ["status"])).code).toBe(3);
});

test.each(["bash", "zsh", "fish"])(
  "`completion %s` prints a script with absolute paths",
  async (shell) => {
    const { code, stdout } = await command(aPlace(), ["completion", shell]);

    expect(code).toBe(0);
    expect(stdout).toContain(`${process.execPath} `);
    expect(stdout).toContain("__complete");
  },
);
