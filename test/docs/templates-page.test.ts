import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aDaemon, aPlace, command } from "../kit/daemon.ts";

const PAGE = readFileSync(new URL("../../docs/templates.md", import.meta.url), "utf8");

const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, found, text = ""]) =>
    found === language ? [text] : [],
  );

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
