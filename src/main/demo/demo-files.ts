import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONFIG_FILE_NAME } from "../../adapters/config/locate.ts";
import { demoCodeCommand, demoHrCommand, hrDataFolder } from "../entries.ts";
import type { DemoDirectory } from "./demo-directory.ts";

/** The project of the coding story; each agent works in a copy. */
const PROJECT = {
  "README.md": "# Till\n\nA sample project of `kuromajutsu demo`.\n",
  "src/price.js": "export const price = (item) => item.amount;\n",
  "src/cart.js":
    'import { price } from "./price.js";\n\nexport const total = (items) => items.reduce((sum, item) => sum + price(item), 0);\n',
} as const;
const COPIES = ["tax", "discount", "receipt"] as const;

/** Writes the sample project and a configuration that uses nothing of this machine. */
export function writeDemoFiles({ project, home, dataDir }: DemoDirectory): string {
  const folders = [project, ...COPIES.map((name) => join(project, "copies", name))];
  for (const folder of folders) {
    for (const [name, content] of Object.entries(PROJECT)) write(join(folder, name), content);
  }
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(home, "run"), { mode: 0o700 });
  const path = join(project, CONFIG_FILE_NAME);
  // JSON is YAML.
  write(path, `${JSON.stringify(configOf(dataDir), null, 2)}\n`);
  return path;
}

function configOf(dataDir: string) {
  const [hr = "", ...hrArgs] = demoHrCommand();
  const [code = "", ...codeArgs] = demoCodeCommand();
  const readOnly = { readOnly: true };
  return {
    agent: { runner: "rehearsal" },
    healthCheck: { enabled: false },
    log: { file: join(dataDir, "daemon.log") },
    mcpServers: {
      hr: {
        command: hr,
        args: hrArgs,
        cwd: ".",
        env: { HR_OUTPUT_DIR: "output", HR_DATA_DIR: hrDataFolder() },
        tools: {
          list_employees: readOnly,
          list_attendance: readOnly,
          calculate_overtime: readOnly,
        },
      },
      code: {
        command: code,
        args: codeArgs,
        cwd: ".",
        tools: { compare_changes: readOnly },
      },
    },
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}
