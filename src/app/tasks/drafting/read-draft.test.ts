import { expect, test } from "vitest";
import { aGateway } from "../../../../test/kit/execution.ts";
import { aFakeUpstream, aTool } from "../../../../test/kit/fake-upstream.ts";
import { readDraft } from "./read-draft.ts";

test("drafted steps contain the human checks that the configuration requires or excludes", async () => {
  const upstream = aFakeUpstream([
    aTool("send", { humanCheck: "always" }),
    aTool("note", { humanCheck: "never" }),
    aTool("write"),
  ]);
  const { core } = await aGateway({ upstream });
  const steps = [
    { title: "送る", tool: "hr/send", requiresHumanCheck: false },
    { title: "控える", tool: "hr/note", requiresHumanCheck: true },
    { title: "書く", tool: "hr/write", requiresHumanCheck: true },
  ];

  const read = await readDraft(core, "design", JSON.stringify({ steps }));

  expect(read).toMatchObject({
    draft: {
      steps: [
        { tool: "send", requiresHumanCheck: true },
        { tool: "note", requiresHumanCheck: false },
        { tool: "write", requiresHumanCheck: true },
      ],
    },
  });
});
