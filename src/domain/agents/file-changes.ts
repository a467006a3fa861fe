import type { FileChange } from "./runner.ts";

/** A limit for an agent's row; the transcript has all of them. */
const MAX_FILES = 1_000;

/** The files that an agent has changed so far. */
export type ChangedFiles = {
  readonly createdFiles: readonly string[];
  readonly editedFiles: readonly string[];
  readonly deletedFiles: readonly string[];
};

/** A file that a call was going to write, and whether it existed when the call started. */
export type AnnouncedFile = { readonly path: string; readonly existed: boolean };

/** The lists with what a call reports, else with what it announced. */
export function addChanges(
  { createdFiles, editedFiles, deletedFiles }: ChangedFiles,
  reported: readonly FileChange[],
  announced: readonly AnnouncedFile[],
  existed: (path: string) => boolean,
): ChangedFiles {
  // A call may name its file by a relative path first and by an absolute one at its end.
  const announcedAs = (path: string) =>
    announced.length === 1 ? announced[0] : announced.find((file) => file.path === path);
  const wasThere = (path: string): boolean => announcedAs(path)?.existed ?? existed(path);
  const changes: readonly FileChange[] =
    reported.length > 0 ? reported : announced.map(({ path }) => ({ path, change: "unknown" }));
  return changes.reduce((lists, change) => addChange(lists, change, wasThere), {
    createdFiles,
    editedFiles,
    deletedFiles,
  });
}

/** A file is in one list: created stays created however often it is edited. */
function addChange(
  lists: ChangedFiles,
  { path, change }: FileChange,
  wasThere: (path: string) => boolean,
): ChangedFiles {
  const { createdFiles, editedFiles, deletedFiles } = lists;
  const isCreated = createdFiles.includes(path);
  const isEdited = editedFiles.includes(path);
  const isDeleted = deletedFiles.includes(path);
  const isFull = createdFiles.length + editedFiles.length + deletedFiles.length >= MAX_FILES;
  if (change === "deleted") {
    if (isDeleted || (isFull && !isCreated && !isEdited)) return lists;
    return {
      ...lists,
      createdFiles: createdFiles.filter((each) => each !== path),
      editedFiles: editedFiles.filter((each) => each !== path),
      // A file that the agent itself had created leaves no trace.
      deletedFiles: isCreated ? deletedFiles : [...deletedFiles, path],
    };
  }
  if (isCreated || isEdited) return lists;
  if (isDeleted) {
    // It was there at the start, so it is edited now.
    const rest = deletedFiles.filter((each) => each !== path);
    return { ...lists, deletedFiles: rest, editedFiles: [...editedFiles, path] };
  }
  if (isFull) return lists;
  const isNew = change === "created" || (change === "unknown" && !wasThere(path));
  return isNew
    ? { ...lists, createdFiles: [...createdFiles, path] }
    : { ...lists, editedFiles: [...editedFiles, path] };
}
