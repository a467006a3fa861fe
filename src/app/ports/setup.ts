import type { ClientId } from "../../contract/mcp-clients.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { Locale, Texts } from "../../domain/locale.ts";

/** What `kuromajutsu init` finds on this machine, and the files it can write. */
export type Setup = {
  /** The language of the configuration file; without one, of the environment. */
  readonly locale: Locale;
  /** How a person starts this program, such as `npx kuromajutsu`. */
  readonly program: string;
  /** In the home directory there is no project. */
  readonly isProject: boolean;
  /** The installed agent CLIs. */
  findRunners(): Promise<readonly { readonly id: RunnerId; readonly command: string }[]>;
  /** The clients that are installed or that this project has files of. */
  findClients(): Promise<readonly ClientId[]>;
  plan(choice: SetupChoice): Promise<readonly PlannedFile[]>;
  /** Returns a problem if the file could not be written; then it is unchanged. */
  write(file: PlannedChange): Promise<FileProblem | undefined>;
};

/** `nearest`: the file of the project where the client has one, else that of the user. */
export type SetupScope = "nearest" | "project" | "global";

export type SetupChoice = {
  readonly clients: readonly ClientId[];
  readonly scope: SetupScope;
  readonly runner: RunnerId | "auto";
};

/** The configuration file of Kuromajutsu, or the file of a client. */
export type SetupFile = { readonly owner: ClientId | "kuromajutsu"; readonly path: string };

export type PlannedChange = SetupFile & {
  /** `change`: our entry is there and has another command or lacks settings. */
  readonly kind: "create" | "add" | "change";
  /** undefined: there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
};

export type PlannedFile =
  | PlannedChange
  | (SetupFile & { readonly kind: "same" })
  /** The client has no file of this scope. */
  | { readonly owner: ClientId; readonly kind: "no-file" }
  | (SetupFile & {
      readonly kind: "refused";
      readonly problem: FileProblem;
      /** What a person can add by hand. */
      readonly entry: string;
    });

export type FileProblem =
  /** `place` is the file or a folder above it. */
  | { readonly kind: "link"; readonly place: string }
  | { readonly kind: "foreign"; readonly place: string; readonly uid: number }
  | { readonly kind: "read-only"; readonly place: string; readonly mode: number }
  | { readonly kind: "not-a-file"; readonly place: string }
  | { readonly kind: "shared"; readonly detail: Texts }
  | {
      readonly kind: "syntax";
      readonly line: number;
      readonly column: number;
      readonly detail: string;
    }
  /** A key whose value must be a map is something else. */
  | { readonly kind: "not-a-map"; readonly key: string }
  /** The entry cannot be changed without touching more than it. */
  | { readonly kind: "by-hand" }
  /** The file has changed since it was shown. */
  | { readonly kind: "changed" }
  | { readonly kind: "io"; readonly detail: string };
