import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { ConfigFile } from "../ports/config-file.ts";

export type RoleEditing = {
  readonly configFile: ConfigFile;
  /** The hash of the file's text from which the roles in use were read. */
  loadedHash(): string;
  /** Reads the configuration again and puts its roles and tools to use; throws if it is invalid. */
  reload(): Promise<void>;
  /** Runs one edit at a time, so that each sees the changes of the previous one. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
};

export function createRoleEditing(parts: Omit<RoleEditing, "exclusively">): RoleEditing {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...parts,
    exclusively(work) {
      const next = last.then(work, work);
      last = next.catch(() => {});
      return next;
    },
  };
}

export function requireEditing({ editing }: Pick<Core, "editing">): RoleEditing {
  if (editing) return editing;
  throw new Refusal("CONFIG_NOT_WRITABLE", {
    en: [
      "This daemon has no configuration file it may write.",
      "Edit kuromajutsu.config.yaml by hand and restart the daemon.",
    ],
    ja: [
      "このデーモンには、書き込める設定ファイルがありません。",
      "kuromajutsu.config.yaml を直接編集して、デーモンを再起動してください。",
    ],
  });
}
