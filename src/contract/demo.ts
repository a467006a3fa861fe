/** The stories of `kuromajutsu demo`: requests with directives for the rehearsal (docs/rehearsal.md). */
export const DEMO_STORIES = ["hr", "coding"] as const;
export type DemoStory = (typeof DEMO_STORIES)[number];

/** What the daemon of a demo plays; `choose`: the person has not chosen yet. */
export const DEMO_CHOICES = [...DEMO_STORIES, "choose"] as const;
export type DemoChoice = (typeof DEMO_CHOICES)[number];

type Language = "ja" | "en";

/** Long enough to read one sentence, press a button and type a reason. */
export const PAUSE_SECONDS = 45;
const PAUSE_MS = PAUSE_SECONDS * 1_000;
const STEP_MS = 1_500;
const AGENT_MS = 6_000;

/** After this step the executor pauses, so that a person can block the task in time. */
export const PAUSES_AFTER: Readonly<Record<DemoStory, string>> = {
  hr: "step-4",
  coding: "step-2",
};

/** What a person would type. */
export const DEMO_REQUESTS: Readonly<Record<DemoStory, Readonly<Record<Language, string>>>> = {
  hr: {
    ja: "9月分の残業時間を集計して",
    en: "Sum up the overtime of September",
  },
  coding: {
    ja: "レジに消費税、割引、レシートを追加して。3 体のエージェントで並行して進めて",
    en: "Add tax, a discount and a receipt to the till, with three agents in parallel",
  },
};

/** The request with its directives. */
export function demoRequest(story: DemoStory, language: Language): string {
  const directives = story === "hr" ? hrDirectives() : codingDirectives(language);
  return [DEMO_REQUESTS[story][language], ...directives].join("\n#rehearsal ");
}

/** The story of a request; undefined: a person typed something else. */
export function demoStoryOf(request: string): DemoStory | undefined {
  const [first] = request.split("\n", 1);
  return DEMO_STORIES.find((story) =>
    Object.values(DEMO_REQUESTS[story]).some((known) => known === first),
  );
}

/**
 * A step whose executor is still in it counts as unfinished when the task is blocked. Reported done, it
 * stays done, and the progress does not go back.
 */
function pauseAfter(stepId: string): readonly string[] {
  const report = JSON.stringify({ stepId, status: "done" });
  return [
    `first after ${stepId} tool report_progress ${report}`,
    `first after ${stepId} listen ${PAUSE_MS}`,
  ];
}

function hrDirectives(): readonly string[] {
  return [
    "steps hr/list_employees, hr/list_attendance, hr/calculate_overtime, hr/write_rows_to_google_sheet, hr/send_slack_dm",
    ...["step-1", "step-2", "step-3"].map((step) => `first after ${step} listen ${STEP_MS}`),
    ...pauseAfter(PAUSES_AFTER.hr),
  ];
}

/** Each agent changes a copy of its own; two of them change the same file. */
const VERSIONS = {
  tax: "export const price = (item) => Math.round(item.amount * 1.1);",
  discount: "export const price = (item) => item.amount - (item.discount ?? 0);",
  receipt: "export const receipt = (items) => items.map(({ name }) => name).join();",
} as const;

function codingDirectives(language: Language): readonly string[] {
  const { agents, question, choices } = CODING_TEXTS[language];
  const prompts = [
    agentPrompt(agents.tax, "copies/tax/src/price.js", VERSIONS.tax),
    agentPrompt(agents.discount, "copies/discount/src/price.js", VERSIONS.discount),
    agentPrompt(agents.receipt, "copies/receipt/src/receipt.js", VERSIONS.receipt),
  ];
  const asked = {
    question: `${question}\n\ntax:      ${VERSIONS.tax}\ndiscount: ${VERSIONS.discount}`,
    choices,
  };
  return [
    "steps agent:impl-code, code/compare_changes, code/merge_changes",
    "uncheck step-3",
    `arg step-1.prompt ${JSON.stringify(prompts)}`,
    ...pauseAfter(PAUSES_AFTER.coding),
    `before step-3 tool ask_human ${JSON.stringify(asked)}`,
  ];
}

function agentPrompt(task: string, path: string, content: string): string {
  return [
    task,
    `#rehearsal say ${task}`,
    `#rehearsal listen ${AGENT_MS}`,
    `#rehearsal write ${path} ${content}`,
    `#rehearsal report success ${task} → ${path}`,
  ].join("\n");
}

const CODING_TEXTS = {
  ja: {
    agents: {
      tax: "リハーサル: 値段に消費税を加えます",
      discount: "リハーサル: 値段から割引を引きます",
      receipt: "リハーサル: レシートを作ります",
    },
    question:
      "2 体のエージェント (tax と discount) が、同じファイル src/price.js を変更しました。どちらの版を残しますか?",
    choices: ["tax: 消費税を加える版", "discount: 割引を引く版"],
  },
  en: {
    agents: {
      tax: "Rehearsal: adds tax to the price",
      discount: "Rehearsal: takes a discount off the price",
      receipt: "Rehearsal: writes a receipt",
    },
    question:
      "Two agents (tax and discount) changed the same file, src/price.js. Which version do you want to keep?",
    choices: ["tax: the version with tax", "discount: the version with a discount"],
  },
} as const;
