import { lstat, mkdir } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type {
  FoundTemplate,
  FoundTemplates,
  TemplateFiles,
  TemplateProblem,
} from "../../app/ports/template-files.ts";
import type { TemplateQueries } from "../../app/ports/template-store.ts";
import { errorCode } from "../../base/error-code.ts";
import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { TaskTemplate } from "../../domain/templates/template.ts";
import { writeNewFile, writeWholeFile } from "../config/write-whole-file.ts";
import { type Cache, type Place, readPlace, templatePath } from "./read-place.ts";
import { readSaved } from "./read-saved.ts";
import { renderTaskTemplate } from "./render-template.ts";

export type TemplateFolders = {
  /** The ready ones of the package. */
  readonly builtin: string;
  /** This user's own, for every project. */
  readonly user: string;
  /** Beside the configuration file. */
  readonly folder: string;
};

/** With a store that servers share, saved templates are there, too. */
export function createTemplateFiles(
  folders: TemplateFolders,
  store?: TemplateQueries,
): TemplateFiles {
  const cache: Cache = new Map();
  const builtin: Place = { source: "builtin", folder: folders.builtin };
  // A template of a clone must not replace one that the person knows, so it comes last.
  const places: readonly Place[] = [
    { source: "user", folder: folders.user },
    { source: "folder", folder: folders.folder },
  ];
  return {
    folder: folders.folder,
    areSavedInStore: store !== undefined,
    async list() {
      // Saved ones come before files of this server, so that all servers use the same.
      const found = await Promise.all([
        readPlace(builtin, cache),
        ...(store ? [readSaved(store, cache)] : []),
        ...places.map((place) => readPlace(place, cache)),
      ]);
      const unique = withUniqueIds(found.flatMap(({ templates }) => templates));
      return {
        templates: unique.templates,
        problems: [...found.flatMap(({ problems }) => problems), ...unique.problems],
      };
    },
    render: async (template) => renderTaskTemplate(template),
    async save(template, overwrite) {
      const path = templatePath(folders.folder, template.id);
      try {
        await mkdir(folders.folder, { recursive: true });
        await refuseLink(folders.folder);
        return (await write(path, template, overwrite)) ? path : undefined;
      } catch (error) {
        throw notWritable(path, error);
      }
    },
  };
}

async function write(path: string, template: TaskTemplate, overwrite: boolean): Promise<boolean> {
  const text = renderTaskTemplate(template);
  if (await writeNewFile(path, text)) return true;
  await refuseLink(path);
  return overwrite && (await writeWholeFile(path, text, () => Promise.resolve(true)));
}

/** A clone could contain a link to a file of this user, which would be overwritten. */
async function refuseLink(path: string): Promise<void> {
  if (!(await lstat(path)).isSymbolicLink()) return;
  throw new Refusal("CONFIG_NOT_WRITABLE", {
    en: [
      `${path} is a link, so the template was not written.`,
      "Remove the link, and save the template again.",
    ],
    ja: [
      `${path} はリンクなので、テンプレートを書き込みませんでした。`,
      "リンクを消してから、もう一度保存してください。",
    ],
  });
}

function withUniqueIds(all: readonly FoundTemplate[]): FoundTemplates {
  const templates = new Map<string, FoundTemplate>();
  const problems: TemplateProblem[] = [];
  for (const found of all) {
    const { id } = found.template;
    const first = templates.get(id);
    // `migrate --from` saves templates in the database; their files stay.
    if (first && isDeepStrictEqual(first.template, found.template)) continue;
    if (first) {
      problems.push({ path: found.path, line: null, text: takenText(found, first.path) });
    } else templates.set(id, found);
  }
  return { templates: [...templates.values()], problems };
}

/** A saved template is a row, which cannot be renamed. A new release may bring its id as a built-in one. */
function takenText({ template: { id }, source }: FoundTemplate, by: string): Texts {
  const taken = {
    en: `the id "${id}" is taken by ${by};`,
    ja: `ID「${id}」は ${by} が使っています。`,
  };
  return source === "saved"
    ? {
        en: `${taken.en} save it from its task under another id (\`kuromajutsu template save <task> --id <id>\`), then remove this one with \`kuromajutsu template remove ${id}\``,
        ja: `${taken.ja}元のタスクから別の ID で保存し（\`kuromajutsu template save <タスク> --id <ID>\`）、\`kuromajutsu template remove ${id}\` で古いほうを削除してください。`,
      }
    : {
        en: `${taken.en} give the file and its id another name`,
        ja: `${taken.ja}ファイルと ID を別の名前にしてください。`,
      };
}

function notWritable(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || error instanceof Refusal) return error;
  return new Refusal("CONFIG_NOT_WRITABLE", {
    en: [
      `The template could not be written to ${path} (${code}).`,
      "Give this user the right to write there, make room on the disk, and save it again.",
    ],
    ja: [
      `テンプレートを ${path} に書き込めませんでした（${code}）。`,
      "書き込めるようにし、ディスクの空きを確かめてから、もう一度保存してください。",
    ],
  });
}
