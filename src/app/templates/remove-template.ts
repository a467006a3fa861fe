import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { FoundTemplate } from "../ports/template-files.ts";
import { requireTemplate } from "./require-template.ts";

export type RemoveTemplate = { readonly id: string };

/**
 * Removes a template that is saved in the store. Files are a person's own, and may be part of a
 * repository.
 */
export async function removeTemplate(
  core: Core,
  identity: Identity,
  { id }: RemoveTemplate,
): Promise<void> {
  const person = requirePerson(identity, "operator");
  // The row first: one that this version cannot read is not in the list, and can be removed.
  const isRemoved = await core.store.transaction(async (unit) => {
    if (!(await unit.deleteSavedTemplate(id))) return false;
    await recordAudit(core, unit, {
      actor: person.id,
      action: "template.removed",
      subject: id,
      data: {},
    });
    return true;
  });
  if (!isRemoved) throw isFile(await requireTemplate(core, id));
}

function isFile({ template: { id }, source, path }: FoundTemplate): Refusal {
  return source === "builtin"
    ? new Refusal("NOT_ALLOWED", {
        en: [
          `The template ${id} is part of Kuromajutsu (${path}).`,
          "It cannot be removed. You need not use it.",
        ],
        ja: [
          `テンプレート ${id} は Kuromajutsu に組み込まれています（${path}）。`,
          "削除できませんが、使わなくてもかまいません。",
        ],
      })
    : new Refusal("NOT_ALLOWED", {
        en: [
          `The template ${id} is a file: ${path}`,
          "Delete the file on that host. A file on another server is deleted there.",
        ],
        ja: [
          `テンプレート ${id} はファイルです: ${path}`,
          "そのホストでファイルを削除してください。ほかのサーバーにあるファイルは、そのサーバーで削除します。",
        ],
      });
}
