import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FoundTemplate, TemplateProblem } from "../../app/ports/template-files.ts";
import { errorCode } from "../../base/error-code.ts";
import { expectedIn } from "../../contract/config/expected-texts.ts";
import { ID_PATTERN, ID_RULE } from "../../contract/config/fields.ts";
import type { Texts } from "../../domain/locale.ts";
import type { TemplateSource } from "../../domain/templates/template.ts";
import { parseTemplate, type ParsedTemplate } from "./parse-template.ts";

export type Place = { readonly source: TemplateSource; readonly folder: string };

export type Found = { readonly templates: FoundTemplate[]; readonly problems: TemplateProblem[] };

const MAX_FILES = 200;
export const MAX_TEMPLATE_BYTES = 262_144;
const EXTENSION = ".yaml";

const FOLDER_IS_LINK: Texts = {
  en: "is a link; expected a folder",
  ja: "リンクです。フォルダーを置いてください。",
};
const NOT_UTF8: Texts = {
  en: "is not valid UTF-8; save it again as UTF-8",
  ja: "正しい UTF-8 ではありません。UTF-8 で保存し直してください。",
};
const WRONG_NAME: Texts = {
  en: `the name of the file must be ${ID_RULE}`,
  ja: `ファイルの名前は、${expectedIn(ID_RULE, "ja") ?? ID_RULE}にしてください。`,
};

/** Parsed files by path. A file that has not changed is not parsed again. */
export type Cache = Map<string, { readonly seen: string; readonly parsed: ParsedTemplate }>;

export function templatePath(folder: string, id: string): string {
  return join(folder, `${id}${EXTENSION}`);
}

/** Reads every template of a folder. A file that is wrong does not keep the others from use. */
export async function readPlace({ source, folder }: Place, cache: Cache): Promise<Found> {
  const found: Found = { templates: [], problems: [] };
  const names = await namesIn(folder, source, found.problems);
  for (const name of names.slice(0, MAX_FILES)) {
    const path = join(folder, name);
    const { template, problems } = await readOne(path, source, cache);
    if (template) found.templates.push({ template, source, path });
    found.problems.push(...problems);
  }
  if (names.length > MAX_FILES) {
    found.problems.push({
      path: folder,
      line: null,
      text: {
        en: `has ${names.length} templates; only the first ${MAX_FILES} are used`,
        ja: `テンプレートが ${names.length} 個あります。使うのは最初の ${MAX_FILES} 個だけです。`,
      },
    });
  }
  return found;
}

async function namesIn(
  folder: string,
  source: TemplateSource,
  problems: TemplateProblem[],
): Promise<readonly string[]> {
  try {
    // A clone could contain a link to a folder of this user.
    if (source === "folder" && (await lstat(folder)).isSymbolicLink()) {
      problems.push({ path: folder, line: null, text: FOLDER_IS_LINK });
      return [];
    }
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(EXTENSION) && !name.startsWith(".")).toSorted();
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT") problems.push({ path: folder, line: null, text: unreadable(code) });
    return [];
  }
}

async function readOne(
  path: string,
  source: TemplateSource,
  cache: Cache,
): Promise<ParsedTemplate> {
  const whole = (text: Texts): ParsedTemplate => ({
    template: undefined,
    problems: [{ path, line: null, text }],
  });
  const id = path.slice(path.lastIndexOf("/") + 1, -EXTENSION.length);
  if (!ID_PATTERN.test(id)) return whole(WRONG_NAME);
  try {
    const status = await (source === "folder" ? lstat(path) : stat(path));
    const wrong = wrongFile(status);
    if (wrong) return whole(wrong);
    const seen = [status.mtimeMs, status.ctimeMs, status.size, status.ino].join(" ");
    const known = cache.get(path);
    if (known?.seen === seen) return known.parsed;
    const bytes = await readBytes(path, source);
    const parsed = isUtf8(bytes)
      ? parseTemplate(bytes.toString("utf8"), path, id)
      : whole(NOT_UTF8);
    cache.set(path, { seen, parsed });
    return parsed;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return whole(unreadable(code));
  }
}

function wrongFile(status: Stats): Texts | undefined {
  if (status.isSymbolicLink()) {
    return { en: "is a link; expected a file", ja: "リンクです。ファイルを置いてください。" };
  }
  // Reading a pipe or a device might never end.
  if (!status.isFile()) return { en: "is not a file", ja: "ファイルではありません。" };
  return status.size > MAX_TEMPLATE_BYTES
    ? {
        en: `has ${status.size} bytes; a template has at most ${MAX_TEMPLATE_BYTES} (256 KiB)`,
        ja: `${status.size} バイトあります。テンプレートは ${MAX_TEMPLATE_BYTES} バイト（256 KiB）までです。`,
      }
    : undefined;
}

/** Reads no more than the limit, also if the file was replaced after the check. */
async function readBytes(path: string, source: TemplateSource): Promise<Buffer> {
  const flags = source === "folder" ? constants.O_RDONLY | constants.O_NOFOLLOW : "r";
  const file = await open(path, flags);
  try {
    const bytes = Buffer.alloc(MAX_TEMPLATE_BYTES);
    const { bytesRead } = await file.read(bytes, 0, MAX_TEMPLATE_BYTES, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function unreadable(code: string | undefined): Texts {
  return code === "EACCES" || code === "EPERM"
    ? { en: "may not be read (permission denied)", ja: "読む権限がありません。" }
    : {
        en: `cannot be read (${code ?? "unknown reason"})`,
        ja: `読めません（${code ?? "理由は不明"}）。`,
      };
}
