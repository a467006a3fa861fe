import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { requireEditing } from "../roles/role-editing.ts";
import { announceConfig, catchUp } from "../roles/save-roles.ts";
import { recordAudit } from "./audit.ts";
import { requirePerson } from "./require-person.ts";

/** Without the content of the file: it may contain keys, and answers are stored for retries. */
export type ConfigTrusted = { readonly path: string; readonly hash: string };

/** An admin trusts the configuration file after reading what it would run and allow. */
export async function trustConfig(
  core: Core,
  identity: Identity,
  { hash }: { readonly hash: string },
): Promise<ConfigTrusted> {
  const person = requirePerson(identity, "admin");
  const editing = requireEditing(core);
  const { trust } = core;
  if (!trust?.now()) {
    throw new Refusal("VERSION_CONFLICT", {
      en: ["This daemon uses no configuration file that needs trust.", "Load the page again."],
      ja: [
        "このデーモンが使う設定ファイルに、信頼が必要なものはありません。",
        "ページを読み込み直してください。",
      ],
    });
  }
  return editing.exclusively(async () => {
    await trust.trust(hash).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === "VERSION_CONFLICT")
        await catchUp(core, editing);
      throw error;
    });
    await editing.reload();
    const file = trust.now();
    await core.store.transaction((unit) =>
      recordAudit(core, unit, {
        actor: person.id,
        action: "config.trusted",
        subject: file?.path ?? "",
        data: { hash, powers: (file?.powers ?? []).map(({ kind, name }) => `${kind} ${name}`) },
      }),
    );
    await announceConfig(core, { change: "trusted", hash: editing.loadedHash() });
    return { path: file?.path ?? "", hash };
  });
}
