import type { RunnerId } from "../agents/runner.ts";
import type { Locale } from "../locale.ts";

/** What a person has to know about an agent CLI to repair it. */
export type CliFacts = {
  /** Commands to type in a terminal. */
  readonly install: string;
  readonly update: string;
  readonly signIn: string;
  /** One headless answer, without Kuromajutsu. */
  readonly tryOut: string;
  /**
   * `newest` is the version that `npm run test:clis` runs. `oldest` passed its checks of files and of
   * read-only roles; an older version that was tried failed them. null: never run.
   */
  readonly tested: { readonly oldest: string; readonly newest: string } | null;
};

/** A runner without an entry has no CLI of its own. */
export const CLI_FACTS: Readonly<Partial<Record<RunnerId, CliFacts>>> = {
  cursor: {
    install: "curl https://cursor.com/install -fsS | bash",
    update: "agent update",
    signIn: "agent login",
    tryOut: "agent -p --trust hello",
    tested: null,
  },
  claude: {
    install: "npm install -g @anthropic-ai/claude-code",
    update: "claude update",
    signIn: "claude auth login",
    tryOut: "claude -p hello",
    tested: { oldest: "2.0.64", newest: "2.1.325" },
  },
  codex: {
    install: "npm install -g @openai/codex",
    update: "codex update",
    signIn: "codex login",
    tryOut: "codex exec --skip-git-repo-check hello",
    tested: { oldest: "0.139.0", newest: "0.166.0" },
  },
  gemini: {
    install: "npm install -g @google/gemini-cli",
    update: "npm install -g @google/gemini-cli@latest",
    signIn: "gemini",
    tryOut: "gemini --skip-trust -p hello",
    tested: { oldest: "0.45.2", newest: "0.61.0" },
  },
  opencode: {
    install: "npm install -g opencode-ai",
    update: "opencode upgrade",
    signIn: "opencode auth login",
    tryOut: "opencode run hello",
    tested: { oldest: "1.18.3", newest: "1.18.33" },
  },
};

/** As in "Install it with `npm install …`"; empty for a runner without an entry. */
export function installCommand(runner: RunnerId, locale: Locale = "en"): string {
  const facts = CLI_FACTS[runner];
  if (!facts) return "";
  return locale === "ja" ? `（\`${facts.install}\`）` : ` with \`${facts.install}\``;
}
