// Replaces a configuration file over and over, until it is killed: node keep-writing.ts <path>
import { readFileSync } from "node:fs";
import { createConfigFile } from "../../src/adapters/config/edit-config.ts";
import { hashOf } from "../../src/adapters/config/hash-of.ts";

const path = process.argv[2] ?? "";
const file = createConfigFile({ path });
process.stdout.write("ready\n");
for (let count = 0; ; count++) {
  const systemPrompt = `${count}\n${"行 ".repeat(20_000)}\n`;
  const fields = { name: `${count}`, systemPrompt };
  await file.editRoles({ kind: "set", id: "research", fields }, hashOf(readFileSync(path, "utf8")));
  process.stdout.write(`${count}\n`);
}
