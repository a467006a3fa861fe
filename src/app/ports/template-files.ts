import type { Texts } from "../../domain/locale.ts";
import type { TaskTemplate, Template, TemplateSource } from "../../domain/templates/template.ts";

export type FoundTemplate = {
  readonly template: Template;
  readonly source: TemplateSource;
  readonly path: string;
};

/** Why a file is not used. The other files are. */
export type TemplateProblem = {
  readonly path: string;
  /** From 1; null: the problem concerns the whole file. */
  readonly line: number | null;
  readonly text: Texts;
};

export type FoundTemplates = {
  /** Ids are unique. */
  readonly templates: readonly FoundTemplate[];
  readonly problems: readonly TemplateProblem[];
};

export type TemplateFiles = {
  /** Where `save` writes. */
  readonly folder: string;
  /** Templates that people save are rows of the store, because other servers have other files. */
  readonly areSavedInStore: boolean;
  /** Files, and what is saved in the store. */
  list(): Promise<FoundTemplates>;
  /** The text of a file with this template. */
  render(template: TaskTemplate): Promise<string>;
  /**
   * Writes atomically. Returns the path; undefined: there is such a file, and nothing was written.
   * Refuses with CONFIG_NOT_WRITABLE.
   */
  save(template: TaskTemplate, overwrite: boolean): Promise<string | undefined>;
};
