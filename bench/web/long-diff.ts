import {
  aChange,
  aFile,
  aLongPatch,
  answerChanges,
  aWorkspace,
} from "../../test/web/kit/changes.ts";
import { aPage, measure, type WebBench, type WebContext, type WebFigure } from "./kit.ts";
import { AGENT, agentDetail } from "./long-transcript.ts";

const RUNS = 3;
const MAX_FIRST_MS = 1_000;
const WATCH_MS = 3_000;
const BOX = "[role=region].diffs";

type Diff = { readonly name: string; readonly files: number; readonly lines: number };

const DIFFS: readonly Diff[] = [
  { name: "200 files, 20,000 lines", files: 200, lines: 100 },
  { name: "one file of 20,000 lines", files: 1, lines: 20_000 },
];

/** From the answer with the files to the first line of the diff, and scrolling through it. */
export const longDiff: WebBench = async (web) => {
  const figures: WebFigure[] = [];
  for (const diff of DIFFS) {
    const first: number[] = [];
    const fps: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const seen = await show(web, diff);
      web.say(`diff of ${diff.name}: ${seen.first.toFixed(0)} ms, ${seen.fps.toFixed(1)} fps`);
      first.push(seen.first);
      fps.push(seen.fps);
    }
    figures.push(
      {
        name: `First line of a diff: ${diff.name}`,
        unit: "ms",
        product: first,
        floor: [],
        goal: { text: `< ${MAX_FIRST_MS}`, isMet: (ours) => ours < MAX_FIRST_MS },
      },
      {
        name: `Scrolling a diff: ${diff.name}`,
        unit: "fps",
        product: fps,
        floor: [],
        goal: { text: ">= 20", isMet: (ours) => ours >= 20 },
      },
    );
  }
  return figures;
};

async function show(web: WebContext, { files, lines }: Diff) {
  const { page, context } = await aPage(web);
  const workspace = aWorkspace({ agentId: AGENT, files });
  const change = aChange(workspace, {
    files: Array.from({ length: files }, (_, index) => aFile(`src/part-${index}.ts`)),
  });
  let answeredAt = 0;
  await answerChanges(page, {
    workspaces: [workspace],
    change: () => {
      answeredAt ||= performance.now();
      return change;
    },
    patch: (path) => ({ patch: aLongPatch(path, lines) }),
  });
  await page.route(`**/api/agents/${AGENT}`, (route) =>
    route.fulfill({ json: { ...agentDetail(), workspaceId: "ws-1" } }),
  );
  await page.route(`**/api/agents/${AGENT}/transcript*`, (route) =>
    route.fulfill({ json: { agentId: AGENT, lines: [], nextOffset: 0, size: 0 } }),
  );
  await page.goto(`${web.url}/agents/${AGENT}?tab=changes`);
  await page.locator(BOX).getByText("value3 ").first().waitFor();
  const first = performance.now() - answeredAt;
  const { fps } = await measure(page, WATCH_MS, BOX);
  await context.close();
  return { first, fps };
}
