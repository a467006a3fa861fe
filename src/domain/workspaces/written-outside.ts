/** Temporary files and devices are an agent's own business. */
const TEMPORARY = ["/tmp", "/var/tmp", "/var/folders", "/private/tmp", "/private/var", "/dev"];

/**
 * Files that an agent wrote outside its worktree. The checkout it was kept out of and the worktrees of
 * other agents count wherever they are.
 */
export function writtenOutside(
  files: readonly string[],
  worktree: string,
  checkout: string,
): readonly string[] {
  const keptOut = [checkout, parentOf(worktree)];
  return files.filter(
    (file) =>
      file.startsWith("/") &&
      !isBelow(file, worktree) &&
      (keptOut.some((each) => isBelow(file, each)) ||
        !TEMPORARY.some((each) => isBelow(file, each))),
  );
}

/** The worktrees of one repository are beside each other. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function isBelow(file: string, directory: string): boolean {
  return file.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
