import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aDaemon, aPlace, command, type Place } from "../kit/daemon.ts";
import { aPty, KEYS } from "../kit/pty.ts";

/** Ctrl-U; after Ctrl-C a shell may lose keys that are already typed. */
const CLEAR_LINE = "\u0015";

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
  pty.type(CLEAR_LINE);
  await pty.waitFor(/^\$ $/m);
  pty.type(`kuromajutsu tasks ${KEYS.tab}`);
  await pty.waitFor(/kuromajutsu tasks task-\w{26} $/m);
  pty.type(`foll${KEYS.tab}`);
  await pty.waitFor(/kuromajutsu tasks task-\w{26} follow $/m);
  expect(script.code).toBe(0);
});

/** A shell in a terminal that has read the completion script of the product. */
async function aShell(place: Place, shell: "zsh" | "fish", start: readonly string[]) {
  const script = await command(place, ["completion", shell]);
  expect(script.code).toBe(0);
  const file = join(place.dir, `completion.${shell}`);
  writeFileSync(file, script.stdout);
  const pty = aPty(place, [...start], {
    program: pathOf(shell),
    env: { PS1: "%% ", ZDOTDIR: place.dir, fish_greeting: "" },
    columns: 120,
  });
  pty.type(`source ${file}; echo rea''dy${KEYS.enter}`);
  await pty.waitFor(/^ready/m);
  return pty;
}

function pathOf(shell: string): string {
  return [`/usr/bin/${shell}`, `/bin/${shell}`, `/usr/local/bin/${shell}`].find(existsSync) ?? "";
}

const SHELLS_WITH_START = [
  ["zsh", ["-f", "-i"]],
  ["fish", ["--no-config", "-C", "set -g fish_autosuggestion_enabled 0"]],
] as const;

test.for(SHELLS_WITH_START)(
  "%s completes commands, options, the ids of tasks, and paths where nothing else fits",
  async ([shell, start], { skip }) => {
    skip(pathOf(shell) === "", `${shell} is not installed here, so its script was not run.`);
    const place = aPlace();
    mkdirSync(join(place.dir, "some-folder"));
    await aDaemon(place);
    await command(place, ["run", "ノートを整理して", "--detach"]);
    const pty = await aShell(place, shell, start);

    pty.type(`kuromajutsu appr${KEYS.tab}`);
    await pty.waitFor(/kuromajutsu approvals\s*$/m);
    pty.type(`--js${KEYS.tab}`);
    await pty.waitFor(/kuromajutsu approvals --json\s*$/m);
    pty.type(`${CLEAR_LINE}kuromajutsu tasks ta${KEYS.tab}`);
    await pty.waitFor(/kuromajutsu tasks task-\w{26}\s*$/m);
    pty.type(`foll${KEYS.tab}`);
    await pty.waitFor(/kuromajutsu tasks task-\w{26} follow\s*$/m);
    pty.type(`${CLEAR_LINE}kuromajutsu backup some-fo${KEYS.tab}`);
    await pty.waitFor(/kuromajutsu backup some-folder\/\s*$/m);
    expect(pty.history()).not.toMatch(/not found|error/i);
  },
);

test("zsh completes with a script in a folder of fpath, at the first Tab", async ({ skip }) => {
  skip(pathOf("zsh") === "", "zsh is not installed here, so its script was not run.");
  const place = aPlace();
  const { stdout } = await command(place, ["completion", "zsh"]);
  const folder = join(place.dir, "functions");
  mkdirSync(folder);
  writeFileSync(join(folder, "_kuromajutsu"), stdout);
  writeFileSync(
    join(place.dir, ".zshrc"),
    `PS1="%% "\nfpath=(${folder} $fpath)\nautoload -Uz compinit && compinit -u\n`,
  );
  const pty = aPty(place, ["-i"], {
    program: pathOf("zsh"),
    env: { ZDOTDIR: place.dir },
    columns: 120,
  });
  pty.type(`echo rea''dy${KEYS.enter}`);
  await pty.waitFor(/^ready/m);

  pty.type(`kuromajutsu appr${KEYS.tab}`);

  await pty.waitFor(/kuromajutsu approvals\s*$/m);
  expect(pty.history()).not.toMatch(/not found|error/i);
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
