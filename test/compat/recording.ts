import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { compare } from "./compare.ts";
import type { Normalizer } from "./normalize.ts";

const recordingShape = z.array(z.object({ request: z.string(), answer: z.unknown() }));
export type Exchange = z.infer<typeof recordingShape>[number];

/** `npm run compat:record` writes the recordings anew; everything else compares with them. */
export const isRecording = process.env["KUROMAJUTSU_RECORD"] === "1";

export type Recorder = {
  add(request: string, answer: unknown): void;
  /** What is not as recorded. `exact`: new fields count too. */
  differences(options?: { readonly exact: boolean }): readonly Changed[];
};

type Changed = {
  readonly request: string;
  readonly problems: readonly string[];
  readonly additions: readonly string[];
};

/** What was asked and answered, with placeholders for what differs from run to run. */
export function aTranscript(normalizer: Normalizer) {
  const exchanges: Exchange[] = [];
  return {
    add(request: string, answer: unknown): void {
      const normal = normalizer.normalize(answer);
      exchanges.push({ request: normalizer.text(request), answer: normal });
    },
    /** Through JSON, as a recording: without fields that are undefined. */
    exchanges: (): readonly Exchange[] =>
      recordingShape.parse(JSON.parse(JSON.stringify(exchanges))),
  };
}

export function aRecorder(name: string, normalizer: Normalizer): Recorder {
  const transcript = aTranscript(normalizer);
  return {
    add: (request, answer) => transcript.add(request, answer),
    differences({ exact } = { exact: false }) {
      const path = new URL(`./recordings/${name}.json`, import.meta.url);
      const played = transcript.exchanges();
      if (isRecording) writeFileSync(path, `${linesOf(played)}\n`);
      const recorded = recordingShape.parse(JSON.parse(readFileSync(path, "utf8")));
      const length = compare(recorded.length, played.length, "number of requests");
      const found = recorded.map((each, at) => ({
        request: each.request,
        ...compare(each, played[at]),
      }));
      return [{ request: name, ...length }, ...found].filter(
        ({ problems, additions }) => problems.length > 0 || (exact && additions.length > 0),
      );
    },
  };
}

/** One exchange per line, so that a change is seen in a diff. */
function linesOf(exchanges: readonly Exchange[]): string {
  return `[\n${exchanges.map((each) => JSON.stringify(each)).join(",\n")}\n]`;
}
