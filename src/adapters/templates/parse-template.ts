import * as z from "zod";
import type { TemplateProblem } from "../../app/ports/template-files.ts";
import { isRecord } from "../../base/narrow.ts";
import {
  groupFileShapes,
  roleFileShape,
  taskFileShape,
} from "../../contract/shapes/template-file.ts";
import { inEach, type Texts } from "../../domain/locale.ts";
import { placeholdersIn } from "../../domain/templates/placeholders.ts";
import {
  TEMPLATE_KINDS,
  type Template,
  type TemplateValue,
  textsOf,
} from "../../domain/templates/template.ts";
import { didYouMean, explainIssues, type SettingProblem } from "../config/explain-issue.ts";
import { keysAt } from "../config/known-keys.ts";
import { parseConfigText, type ParsedText } from "../config/parse-config-text.ts";
import { withoutMark } from "../config/parse-config.ts";
import { printable } from "../config/source-excerpt.ts";
import {
  type AnyGroupFile,
  groupTemplateOf,
  roleTemplateOf,
  taskTemplateOf,
} from "./template-of.ts";

export type ParsedTemplate =
  | { readonly template: Template; readonly problems: readonly [] }
  | { readonly template: undefined; readonly problems: readonly TemplateProblem[] };

/** A file that is not a template can have thousands of problems. */
const MAX_PROBLEMS = 20;

/** Parses the text of a template file. The id must be the name of the file, so it is unique there. */
export function parseTemplate(text: string, path: string, fileId: string): ParsedTemplate {
  const parsed = parseConfigText(withoutMark(text), path);
  if (parsed.data === undefined || parsed.problems.length > 0) {
    return failed(parsed.problems.map(({ text: said, at }) => problem(path, said, at?.line)));
  }
  const { value } = parsed.data;
  const { template, problems } = read(value);
  const all = [...problems, ...(template ? checkTemplate(template, fileId) : [])];
  if (template && all.length === 0) return { template, problems: [] };
  return failed(all.map((each) => placed(each, path, parsed)));
}

function failed(problems: readonly TemplateProblem[]): ParsedTemplate {
  return { template: undefined, problems: problems.slice(0, MAX_PROBLEMS) };
}

function problem(path: string, text: Texts, line: number | undefined): TemplateProblem {
  const shown = inEach((locale) => Array.from(text[locale], printable).join(""));
  return { path, line: line ?? null, text: shown };
}

function placed({ path: at, key, text }: SettingProblem, path: string, parsed: ParsedText) {
  const { line } = key === undefined ? parsed.positionOf(at) : parsed.positionOfKey(at, key);
  return problem(path, text, line);
}

type Read = {
  readonly template?: Template;
  readonly problems: readonly SettingProblem[];
};

/** The kind decides which keys a file has, so it is read first. */
function read(value: unknown): Read {
  const kind = isRecord(value) ? value["kind"] : undefined;
  switch (kind) {
    case "task":
      return check(taskFileShape, value, taskTemplateOf);
    case "role":
      return check(roleFileShape, value, roleTemplateOf);
    case "group":
      return readGroup(value);
    default:
      return wrongWord("kind", kind, TEMPLATE_KINDS);
  }
}

function readGroup(value: unknown): Read {
  const mode = isRecord(value) ? value["mode"] : undefined;
  switch (mode) {
    case "concurrent":
    case "sequential":
    case "magentic":
      return check<z.ZodType<AnyGroupFile>>(groupFileShapes[mode], value, groupTemplateOf);
    default:
      return wrongWord("mode", mode, Object.keys(groupFileShapes));
  }
}

const USE_ONE_OF: Texts = { en: "use one of", ja: "使えるもの:" };
const NOT_A_TEXT: Texts = { en: "it is not a text", ja: "文字列ではありません。" };
const ADD_IT: Texts = {
  en: "add it, or write \\{{ for plain braces. The values are:",
  ja: "加えるか、ただの波かっこなら \\{{ と書いてください。今ある値:",
};

function wrongWord(key: string, found: unknown, words: readonly string[]): Read {
  const said = typeof found === "string" ? didYouMean(found, words, USE_ONE_OF) : NOT_A_TEXT;
  const all = words.join(", ");
  const text =
    found === undefined
      ? {
          en: `${key}: missing; expected one of ${all}`,
          ja: `${key}: ありません。${all} のいずれかを書いてください。`,
        }
      : {
          en: `${key}: expected one of ${all}; ${said.en}`,
          ja: `${key}: ${all} のいずれかを書いてください。${said.ja}`,
        };
  return { problems: [{ path: [], key, text }] };
}

function check<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  templateOf: (file: z.output<Shape>) => Template,
): Read {
  const result = shape.safeParse(value, { jitless: true });
  if (result.success) return { template: templateOf(result.data), problems: [] };
  const known = (path: Parameters<typeof keysAt>[1]) =>
    keysAt(z.toJSONSchema(shape, { io: "input" }), path);
  return { problems: explainIssues(result.error.issues, value, known) };
}

function checkTemplate(template: Template, fileId: string): readonly SettingProblem[] {
  const names = template.values.map(({ name }) => name);
  const used = new Set(textsOf(template).flatMap(({ ja, en }) => placeholdersIn(`${ja}\n${en}`)));
  return [
    ...(template.id === fileId
      ? []
      : [
          {
            path: ["id"],
            text: {
              en: `id: expected "${fileId}", the name of the file`,
              ja: `id: ファイルの名前と同じ「${fileId}」にしてください。`,
            },
          },
        ]),
    ...[...used]
      .filter((name) => !names.includes(name))
      .map((name) => {
        const hint = didYouMean(name, names, ADD_IT);
        const text = {
          en: `the placeholder {{${name}}} is not in values; ${hint.en}`,
          ja: `プレースホルダー {{${name}}} が values にありません。${hint.ja}`,
        };
        return { path: ["values"], text };
      }),
    ...template.values.flatMap((value, index) => checkValue(value, index, names, used)),
  ];
}

const valueProblems = {
  unused: (name: string): Texts => ({
    en: `the value "${name}" is in no text; remove it`,
    ja: `値「${name}」はどの文にも使われていません。消してください。`,
  }),
  twice: (name: string): Texts => ({
    en: `the value "${name}" is there twice; remove one`,
    ja: `値「${name}」が 2 つあります。片方を消してください。`,
  }),
  noChoice: (name: string): Texts => ({
    en: `the default of "${name}" is none of its choices; write one of them`,
    ja: `「${name}」の既定値が選択肢にありません。選択肢の 1 つにしてください。`,
  }),
};

function checkValue(
  { name, choices, default: usual }: TemplateValue,
  index: number,
  names: readonly string[],
  used: ReadonlySet<string>,
): readonly SettingProblem[] {
  const path = ["values", index];
  const isChoice = choices.some(({ ja, en }) => usual?.ja === ja && usual.en === en);
  return [
    ...(used.has(name) ? [] : [{ path, text: valueProblems.unused(name) }]),
    ...(names.indexOf(name) === index ? [] : [{ path, text: valueProblems.twice(name) }]),
    ...(usual === null || choices.length === 0 || isChoice
      ? []
      : [
          {
            path: [...path, "default"],
            text: valueProblems.noChoice(name),
          },
        ]),
  ];
}
