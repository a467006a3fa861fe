import type { AuditVerified } from "../../app/people/verify-audit.ts";
import type { Backups } from "../../app/ports/backups.ts";
import type { UserEdit } from "../../app/ports/config-file.ts";
import type { Services } from "../../app/ports/service.ts";
import type { Setup } from "../../app/ports/setup.ts";
import type { StoreMigration } from "../../app/ports/store-migration.ts";
import type { Config } from "../../contract/config/schema.ts";
import type { DemoStory } from "../../contract/demo.ts";
import type { ControlHello, DaemonStatus } from "../../contract/hello.ts";
import type { FileTrust } from "../../contract/shapes/trust.ts";
import type { Locale, Texts } from "../../domain/locale.ts";
import type { SlackSetup } from "../slack/doctor/finding.ts";
import type { Weakened } from "./terminal/ask-trust.ts";

/** What the commands need from outside; `src/main/cli` provides it. */
export type Cli = {
  readonly version: string;
  /** How a person starts this program in a terminal: `kuromajutsu` or `npx kuromajutsu`. */
  readonly command: string;
  /** The same with absolute paths, for files and scripts. */
  readonly ownCommand: readonly string[];
  /** The language of the configuration, else that of the variables of this terminal. */
  locale(): Promise<Locale>;
  isInsideAgent(): boolean;
  /** The daemon of this configuration file; by default of the one that is found from here. */
  daemon(configPath?: string): LocalDaemon;
  /** The HTTP address of the daemon; starts one if none runs. */
  daemonUrl(): Promise<string>;
  /** For a command whose daemon no longer answers: the next one, started if the last one has died. */
  reviveDaemon(): Promise<RevivedDaemon>;
  /**
   * Lends the vendor keys of this terminal to the running daemon, as long as this process lives.
   * undefined: this terminal has none, or the daemon takes none.
   */
  keyTicket(): Promise<string | undefined>;
  serve(options: ServeOptions): Promise<number>;
  demo(options: DemoOptions): Promise<number>;
  /** The configuration of MCP clients that starts our MCP server. */
  clientSetup(): Promise<{ readonly snippet: string; readonly claudeCommand: string }>;
  /** Opens the address in the browser; false if there is none here. */
  openBrowser(url: string): Promise<boolean>;
  setup(): Promise<Setup>;
  trust(): Promise<TrustFiles>;
  users(): Promise<UserFile>;
  audit(): Promise<OfflineAudit>;
  /** Rejects with a sentence if the configuration is wrong. */
  slack(): Promise<SlackSetup>;
  slackWorkspaces(): Promise<OfflineSlack>;
  backups(): Promise<Backups>;
  migration(): Promise<StoreMigration>;
  services(): Promise<Services>;
  /** Runs agents for servers until a signal stops it. */
  work(options: WorkOptions): Promise<number>;
};

export type WorkOptions = {
  /** At least one. */
  readonly servers: readonly URL[];
  readonly token: string;
  readonly slots: number;
  readonly labels: readonly string[];
  readonly dataDir: string | undefined;
  readonly drainMs: number;
};

export type LocalDaemon = {
  readonly dataDir: string;
  /** undefined if no daemon runs. */
  ask(command: ControlHello["command"]): Promise<DaemonStatus | undefined>;
};

export type RevivedDaemon =
  | { readonly kind: "running" | "started"; readonly url: string }
  /** A person stopped it, so none was started. */
  | { readonly kind: "stopped" };

export type ServeOptions = {
  readonly port: number | undefined;
  readonly bind: string | undefined;
  readonly conformance: boolean;
  /** Only warnings and errors after the address. */
  readonly quiet: boolean;
  /** Whether to open the browser, where there is one. */
  readonly open: boolean;
};

export type DemoOptions = {
  /** undefined: the person chooses. */
  readonly story: DemoStory | undefined;
  readonly opensBrowser: boolean;
  readonly isInTerminal: boolean;
};

export type TrustFiles = {
  /** The file that is found by searching from here, even if another one was named. */
  nearest(): string | undefined;
  /** The file in use, if it was found by searching and so needs trust. */
  inUse(): string | undefined;
  /** The file that a person means by a path of a file or of a folder. */
  resolve(path: string): string;
  inspect(path: string): Promise<InspectedTrust>;
  /** Rejects if the file no longer has the hash that was shown. */
  trust(path: string, shownHash: string): Promise<void>;
  list(): readonly { readonly path: string; readonly at: string }[];
  /** Returns whether it was trusted. */
  revoke(path: string): boolean;
};

export type InspectedTrust = {
  readonly trust: FileTrust;
  readonly locale: Locale;
  readonly weakened: readonly Weakened[];
};

export type User = Config["auth"]["users"][number];

export type UserFile = {
  read(): Promise<readonly User[]>;
  edit(change: UserEdit): Promise<{
    readonly path: string;
    readonly created: boolean;
    /** Problems that keep a daemon from starting until more people are added. */
    readonly missing: readonly Texts[];
  }>;
  newToken(): { readonly token: string; readonly hash: string };
};

export type SlackWorkspace = {
  readonly team: string;
  readonly enterprise: string | null;
  readonly botUser: string;
  readonly scopes: readonly string[];
  readonly installedBy: string;
  readonly installedAt: string;
};

/** Opens the database itself, so no daemon may be running. */
export type OfflineSlack = {
  list(): Promise<readonly SlackWorkspace[]>;
  /** False: the app was not installed there. */
  remove(team: string): Promise<boolean>;
};

/** Opens the database itself, so no daemon may be running. */
export type OfflineAudit = {
  verify(): Promise<AuditVerified>;
  /** Verifies the chain; if it is whole, its end becomes the new head. */
  anchor(): Promise<AuditVerified>;
};
