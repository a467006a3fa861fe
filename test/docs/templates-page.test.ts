import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aDaemon, aPlace, command } from "../kit/daemon.ts";
import { LONG_MS } from "../kit/task-person.ts";

const PAGE = readFileSync(new URL("../../docs/templates.md", import.meta.url), "utf8");

const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, found, text = ""]) =>
    found === language ? [text] : [],
  );

/** The words of a command line, without quotes. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));

test("every command on the page about templates works", { timeout: LONG_MS }, async () => {
  const place = aPlace();
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    "locale: en\nagent:\n  runner: rehearsal\nhealthCheck:\n  enabled: false\n",
  );
  await aDaemon(place);
  let taskId = "";
  for (const line of blocks("bash").flatMap((block) => block.trim().split("\n"))) {
    const [program, ...words] = wordsOf(line);
    expect(program).toBe("kuromajutsu");
    const done = await command(
      place,
      words.map((word) => word.replace("task-…", taskId)),
    );
    expect(done, `${line}\n${done.stdout}${done.stderr}`).toMatchObject({ code: 0 });
    taskId = /task-[0-9A-Z]{26}/.exec(done.stdout)?.[0] ?? taskId;
  }
});

test("the template on the page about templates is valid and can be used", async () => {
  const place = aPlace();
  mkdirSync(join(place.dir, ".config/kuromajutsu/templates"), { recursive: true });
  writeFileSync(
    join(place.dir, ".config/kuromajutsu/templates/release-notes.yaml"),
    blocks("yaml")[0] ?? "",
  );
  await aDaemon(place);

  const shown = await command(place, ["template", "show", "release-notes", "--json"]);

  expect(JSON.parse(shown.stdout)).toMatchObject({ source: "user", isTrusted: true });
});
