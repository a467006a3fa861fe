import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FAKE_CLIS } from "./place.ts";
import type { Product } from "./product.ts";
import { recordedStream } from "./recorded-stream.ts";

const PIECES = 40;

/**
 * A folder with a Cursor CLI that prints for some time. Its text is in the script, so that sh prints it
 * without a fork: one fork per pause, which leaves the cores to the measured code.
 */
export function aTalker(product: Product, lines: number, overMs: number): string {
  const folder = mkdtempSync(join(product.dir, "talker-"));
  const all = recordedStream(lines);
  const size = Math.ceil(lines / PIECES);
  const pause = `sleep ${overMs / PIECES / 1_000}\n`;
  const script = [
    `#!/bin/sh\n[ "$1" != models ] || exec '${FAKE_CLIS}/agent' models\ncat >/dev/null\n`,
    ...Array.from({ length: PIECES }, (_, piece) => {
      const said = all.slice(piece * size, (piece + 1) * size).join("");
      return `${pause}printf %s '${said}'\n`;
    }),
  ];
  writeFileSync(join(folder, "agent"), script.join(""), { mode: 0o755 });
  return folder;
}
