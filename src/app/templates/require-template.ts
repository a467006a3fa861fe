import { Refusal } from "../../domain/refusal.ts";
import { nearest } from "../../domain/text/nearest.ts";
import type { Core } from "../core.ts";
import type { FoundTemplate } from "../ports/template-files.ts";

export async function requireTemplate(
  { templates }: Pick<Core, "templates">,
  id: string,
): Promise<FoundTemplate> {
  const { templates: all, problems } = await templates.list();
  const found = all.find(({ template }) => template.id === id);
  if (found) return found;
  const known = all.map(({ template }) => template.id);
  const near = nearest(id, known);
  const broken = problems.find(({ path }) => path.endsWith(`/${id}.yaml`));
  throw new Refusal("TEMPLATE_NOT_FOUND", {
    en: [
      broken
        ? `The template "${id}" has a problem: ${broken.path}${broken.line === null ? "" : `:${broken.line}`}: ${broken.text.en}.`
        : `There is no template "${id}".`,
      broken
        ? "Correct the file, and try again."
        : near === undefined
          ? `Use one of: ${known.join(", ")}.`
          : `Did you mean "${near}"?`,
    ],
    ja: [
      broken
        ? `テンプレート「${id}」に問題があります: ${broken.path}${broken.line === null ? "" : `:${broken.line}`}: ${broken.text.ja}`
        : `テンプレート「${id}」はありません。`,
      broken
        ? "ファイルを直して、もう一度試してください。"
        : near === undefined
          ? `使えるもの: ${known.join(", ")}。`
          : `もしかして: 「${near}」`,
    ],
  });
}
