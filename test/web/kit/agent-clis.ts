import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const KIT = fileURLToPath(new URL("../../kit/", import.meta.url));

/** A folder for PATH with a Claude Code that knows its version. */
export const CLAUDE_FOLDER = join(KIT, "bin-limited");

/** A folder for PATH with a Cursor CLI that is signed in until a test says otherwise. */
export function aCursorCli() {
  const folder = mkdtempSync(join(tmpdir(), "kuromajutsu-web-"));
  const command = join(folder, "agent");
  const mark = join(folder, "signed-out");
  const install = (): void =>
    writeFileSync(
      command,
      `#!/bin/sh
if [ "$1" != --version ] && [ "$1" != models ] && [ -e '${mark}' ]; then
  echo 'Error: Authentication required. Run agent login.' >&2
  exit 1
fi
exec '${join(KIT, "bin/agent")}' "$@"
`,
      { mode: 0o755 },
    );
  install();
  return {
    folder,
    signOut: () => writeFileSync(mark, ""),
    signIn: () => rmSync(mark),
    install,
    uninstall: () => rmSync(command),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
