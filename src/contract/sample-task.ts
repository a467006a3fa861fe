/** What the button of the dashboard and `kuromajutsu run --sample` request. */
export const SAMPLE_TEXTS: Readonly<Record<"ja" | "en", SampleTexts>> = {
  ja: {
    request: "AI エージェントの管制室とは何かを、初めて聞く人に 3 行で説明する文を書いて",
    file: "リハーサル: モデルを使うと、ここに 3 行の説明が入ります。",
  },
  en: {
    request:
      "Write three lines that explain a control room for AI agents to someone who has never heard of one",
    file: "Rehearsal: with a model, the three lines would be here.",
  },
};

export type SampleTexts = {
  readonly request: string;
  /** A rehearsal writes it, so that there is a file to look at. */
  readonly file: string;
};

const FILE = "control-room.txt";
const LIKED = ["research", "text-review", "code-review"];
const MAX_STEPS = 3;
/** Without a model the task would end within a second, too fast to watch or stop it. */
const STEP_MS = 15_000;

export type SampleRole = {
  readonly id: string;
  readonly available: boolean;
  readonly runner: string | null;
};

/** The CLI that would run the sample task; null for a rehearsal, which costs nothing. */
export function sampleRunner(roles: readonly Pick<SampleRole, "runner">[]): string | null {
  return roles.find(({ runner }) => runner !== "rehearsal")?.runner ?? null;
}

/** The request; in a rehearsal with directives (docs/rehearsal.md) for slow steps that can be interrupted. */
export function sampleRequest(
  { request, file }: SampleTexts,
  roles: readonly SampleRole[],
): string {
  const usable = roles.flatMap(({ id, available }) =>
    available && id !== "orchestrator" ? [id] : [],
  );
  const liked = LIKED.filter((id) => usable.includes(id));
  const chosen = [...new Set([...liked, ...usable])].slice(0, MAX_STEPS);
  if (sampleRunner(roles) !== null || chosen.length === 0) return request;
  return [
    request,
    `#rehearsal steps ${chosen.map((id) => `agent:${id}`).join(", ")}`,
    `#rehearsal in executor child listen ${STEP_MS}`,
    `#rehearsal after step-${chosen.length} write ${FILE} ${file}`,
  ].join("\n");
}
