import type { SlackSecrets, SlackState } from "../../../app/ports/slack-settings.ts";
import type { Config } from "../../../contract/config/schema.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { DoctorTexts } from "./doctor-texts.ts";

export type CheckName =
  | "settings"
  | "token"
  | "scopes"
  | "socket"
  | "http"
  | "workspaces"
  | "people"
  | "boards";

export type Finding = {
  readonly check: CheckName;
  /** `warning`: it works, with less. `skipped`: an earlier check failed. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** Slack's error code, or ours; null if all is well. */
  readonly code: string | null;
  /** What was checked and found, in one line. */
  readonly found: string;
  /** What to do; null: nothing. */
  readonly advice: string | null;
};

export function ok(check: CheckName, found: string): Finding {
  return { check, status: "ok", code: null, found, advice: null };
}

export function failed(
  check: CheckName,
  code: string,
  found: string,
  advice: string | null = null,
): Finding {
  return { check, status: "failed", code, found, advice };
}

export function warning(
  check: CheckName,
  code: string,
  found: string,
  advice: string | null = null,
): Finding {
  return { check, status: "warning", code, found, advice };
}

export function skipped(check: CheckName, found: string): Finding {
  return { check, status: "skipped", code: null, found, advice: null };
}

/** What the doctor examines; `src/main/cli` provides it. */
export type SlackSetup = {
  readonly settings: Config["slack"];
  readonly state: SlackState;
  readonly secrets: SlackSecrets;
  /** The sentence about settings that are not used because the file is not trusted. */
  readonly untrusted: string | null;
  /** The address of the running daemon. */
  readonly daemonUrl: string | null;
  /** The workspaces in which the app was installed with a link. */
  readonly installed: InstalledWorkspaces;
};

export type InstalledWorkspaces = readonly {
  readonly team: string;
  readonly scopes: readonly string[];
  /** `unreadable`: the key does not fit. `unknown`: only the running daemon can read it. */
  readonly token: { readonly value: string } | "unreadable" | "unknown";
}[];

/** A workspace whose token works. */
export type Workspace = {
  readonly team: string;
  readonly token: string;
  readonly botName: string;
};

export type Doctor = {
  readonly setup: SlackSetup;
  readonly locale: Locale;
  readonly texts: DoctorTexts;
};
