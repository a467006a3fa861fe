/**
 * A template that a person saved where several servers share the store. With SQLite it is a file, and
 * there are no such rows.
 */
export type SavedTemplate = {
  readonly id: string;
  /** What a template file would contain. */
  readonly text: string;
  readonly savedBy: string;
  readonly savedAt: number;
};

export type TemplateQueries = {
  /** In the order of their ids. */
  listSavedTemplates(): Promise<readonly SavedTemplate[]>;
};

export type TemplateChanges = {
  /** False: there is one with this id, it may not be overwritten, and nothing was written. */
  putSavedTemplate(template: SavedTemplate, overwrite: boolean): Promise<boolean>;
  /** False: there is none with this id. */
  deleteSavedTemplate(id: string): Promise<boolean>;
};

/** Shown where the path of a file would be. */
export function savedPath(id: string): string {
  return `database:templates/${id}.yaml`;
}
