/**
 * Files that an agent wrote outside its worktree but inside the checkout it was kept out of. Other
 * places (temporary files, caches) are its own business.
 */
export function writtenOutside(
  files: readonly string[],
  worktree: string,
  checkout: string,
): readonly string[] {
  return files.filter((file) => isBelow(file, checkout) && !isBelow(file, worktree));
}

function isBelow(file: string, directory: string): boolean {
  return file.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
