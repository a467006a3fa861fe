import { type BackupProgress, BackupRefused } from "../../../app/ports/backups.ts";
import { nameCommands } from "../../../base/command-name.ts";
import { sizeText } from "../../../contract/size-text.ts";
import { showProgress } from "../screen/show-progress.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { type BackupTexts, explainProblem } from "./backup-texts.ts";

/** Shows how far it is, after a second. A refusal is explained; then the answer is undefined. */
export async function withProgress<T>(
  { texts, program }: { readonly texts: BackupTexts; readonly program: string },
  work: (onProgress: BackupProgress) => Promise<T>,
): Promise<T | undefined> {
  const progress = showProgress((done, total) => texts.progress(sizeText(done), sizeText(total)));
  try {
    return await work(progress.update);
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    progress.clear();
    writeWrapped(
      process.stderr,
      `${nameCommands(explainProblem(texts, error.problem), program)}\n`,
    );
    return undefined;
  } finally {
    progress.clear();
  }
}
