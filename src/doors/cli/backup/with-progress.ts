import { type BackupProgress, BackupRefused } from "../../../app/ports/backups.ts";
import { nameCommands } from "../../../base/command-name.ts";
import { sizeText } from "../screen/size-text.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { type BackupTexts, explainProblem } from "./backup-texts.ts";

const QUIET_MS = 1_000;
/** A file or a pipe gets a line now and then instead of one that is redrawn. */
const LINE_MS = 10_000;
const REDRAW_MS = 100;

/** Shows how far it is, after a second. A refusal is explained; then the answer is undefined. */
export async function withProgress<T>(
  { texts, program }: { readonly texts: BackupTexts; readonly program: string },
  work: (onProgress: BackupProgress) => Promise<T>,
): Promise<T | undefined> {
  const { isTTY } = process.stderr;
  const every = isTTY ? REDRAW_MS : LINE_MS;
  const startedAt = performance.now();
  let shownAt = startedAt + QUIET_MS - every;
  let hasShown = false;
  try {
    return await work((done, total) => {
      const now = performance.now();
      if (now - shownAt < every) return;
      shownAt = now;
      hasShown = true;
      const line = texts.progress(sizeText(done), sizeText(total));
      process.stderr.write(isTTY ? `\r\u{1B}[K${line}` : `${line}\n`);
    });
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    if (isTTY && hasShown) process.stderr.write("\n");
    writeWrapped(
      process.stderr,
      `${nameCommands(explainProblem(texts, error.problem), program)}\n`,
    );
    return undefined;
  } finally {
    if (isTTY && hasShown) process.stderr.write("\r\u{1B}[K");
  }
}
