import { basename, isAbsolute } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Runner, RunRequest } from "../../src/app/ports/runner.ts";
import { NO_PROGRESS, observe, type AgentProgress } from "../../src/domain/agents/progress.ts";
import type { RunnerEvent, Usage } from "../../src/domain/agents/runner.ts";

export type RunnerSubject = {
  readonly runner: Runner;
  /** A possible result of detect(). */
  readonly command: string;
  /** argv[0], where it is a program of ours that starts the command. */
  readonly program?: string | undefined;
  /** Single lines and the parsed events; undefined for garbage. */
  readonly samples: readonly {
    readonly line: string;
    readonly events: readonly RunnerEvent[] | undefined;
  }[];
  /**
   * One whole run and how the progress of an agent without output has changed. Files existed at the
   * start, unless "new" is in their path.
   */
  readonly stream: string;
  readonly folded: Partial<AgentProgress>;
  readonly recorded?: Recorded;
};

/** Runs of the real CLI against a mock LLM, as test/kit/streams has them for every CLI. */
export type Recorded = {
  /** Edits /srv/app/old.txt, writes /srv/app/new.txt, fails to edit, calls the shell and reports. */
  readonly whole: Recording;
  /** A request to the model is cut in the middle of its text and sent again. */
  readonly retry: Recording;
  /** Continues the conversation of the whole run and edits /srv/app/new.txt. */
  readonly resume: Recording;
};

type Recording = { readonly stream: string; readonly usage: Usage };

const SECRET = "sk-marker-that-must-not-leak";
const RUN_DIRECTORY = "/srv/data/spool/impl-code-1794733200-a3f2.1.run";
const SERVER = {
  name: "kuromajutsu",
  command: ["/usr/bin/node", "/opt/kuromajutsu/bin/kuromajutsu.js", "mcp"],
  variables: ["KUROMAJUTSU_AGENT_ID", "KUROMAJUTSU_AGENT_TOKEN", "KUROMAJUTSU_SOCKET"],
} as const;
const PROMPT = `${"長い依頼 ".repeat(50_000)}\n終わり`;

/** What the reader, the supervisor and the use cases rely on for every CLI. */
export function runnerContract(name: string, make: () => RunnerSubject): void {
  describe(`the runner contract, ${name}`, () => {
    test.each(["read-only", "read-write"] as const)(
      "a %s command starts an absolute path and keeps prompt and secrets out of argv",
      (access) => {
        const { runner, command, program = command } = make();
        for (const variable of runner.vendorVariables) vi.stubEnv(variable, SECRET);

        const made = runner.command(aRequest({ access }), command);
        vi.unstubAllEnvs();

        expect(made.argv[0]).toBe(program);
        expect(made.argv).toContain(command);
        expect(isAbsolute(program)).toBe(true);
        expect(made.stdin).toBe(PROMPT);
        const visible = made.argv.join("\0");
        expect(visible).not.toContain("長い依頼");
        expect(visible.length).toBeLessThan(4_096);
        // The values of keys are in the environment that the CLI inherits, and nowhere else.
        expect(JSON.stringify(made)).not.toContain(SECRET);
        for (const file of made.files ?? []) expect(basename(file.name)).toBe(file.name);
      },
    );

    test("read-only and read-write are different commands", () => {
      const { runner, command } = make();

      const [readOnly, readWrite] = (["read-only", "read-write"] as const).map((access) => {
        const { argv, env, files } = runner.command(aRequest({ access }), command);
        return { argv, env, files };
      });

      expect(readOnly).not.toEqual(readWrite);
    });

    test("the model asked for is in the command", () => {
      const { runner, command } = make();

      const made = runner.command(aRequest({ model: "some-model-7" }), command);

      expect(JSON.stringify(made)).toContain("some-model-7");
    });

    test("without a model the CLI gets no name of one, so that it uses its own default", () => {
      const { runner, command } = make();

      const named = runner.command(aRequest({ model: "some-model-7" }), command);
      const made = runner.command(aRequest({ model: null }), command);

      expect(made.argv.length).toBeLessThanOrEqual(named.argv.length);
      expect(JSON.stringify(made)).not.toMatch(/"(null|default|undefined)"/);
    });

    test("each sample line is parsed to the expected event", () => {
      const { runner, samples } = make();

      for (const { line, events } of samples) {
        expect({ line, events: runner.parse(line) }).toEqual({ line, events });
      }
    });

    test("parsing a hostile line does not throw", () => {
      const { runner, samples, stream } = make();
      const known = [...samples.map(({ line }) => line), ...stream.split("\n")];
      const lines = [...HOSTILE_LINES, ...known.flatMap(withWrongTypes)];

      for (const line of lines) {
        const events = runner.parse(line);
        if (events) for (const event of events) observe(NO_PROGRESS, event, existed);
      }

      expect(lines.length).toBeGreaterThan(200);
    });

    test("a mutated line that is skipped as a text delta really is one", () => {
      const { runner, samples, stream } = make();
      const lines = [...samples.map(({ line }) => line), ...stream.split("\n")];
      const random = seeded(20_261_115);
      let taken = 0;

      for (let i = 0; i < 20_000; i++) {
        const bytes = bend(lines, random);
        if (!runner.isDelta(bytes, 0, bytes.length)) continue;
        taken += 1;
        const line = Buffer.from(bytes).toString("utf8");
        const types = runner.parse(line)?.map(({ type }) => type);
        expect({ line, types }).toEqual({ line, types: ["delta"] });
      }

      const hasDeltas = samples.some(({ events }) => events?.[0]?.type === "delta");
      expect(taken > 0).toBe(hasDeltas);
    });

    test("the bytes around a line do not change how it is classified", () => {
      const { runner, samples } = make();

      for (const { line } of samples) {
        const alone = Buffer.from(line);
        const among = Buffer.from(`${line}\n${line}\n${line}`);
        const start = alone.length + 1;
        const inside = runner.isDelta(among, start, start + alone.length);
        expect(inside).toBe(runner.isDelta(alone, 0, alone.length));
        // A truncated line is not a line, even if the rest is still in the buffer.
        expect(runner.isDelta(among, start, start + alone.length - 1)).toBe(false);
      }
    });

    test("reading a whole run gives the expected progress of the agent", () => {
      const { runner, stream, folded } = make();

      const offset = Buffer.byteLength(stream);
      const progress = fold(runner, Buffer.from(stream), { skipsDeltas: false });

      expect(progress).toEqual({ ...NO_PROGRESS, offset, ...folded });
    });

    test("skipping a text delta changes only the preview", () => {
      const { runner, stream, recorded } = make();

      for (const each of [stream, ...Object.values(recorded ?? {}).map((run) => run.stream)]) {
        const bytes = Buffer.from(each);
        const parsed = fold(runner, bytes, { skipsDeltas: false });
        const skipped = fold(runner, bytes, { skipsDeltas: true });

        expect({ ...skipped, lastMessage: "" }).toEqual({ ...parsed, lastMessage: "" });
      }
    });

    test("a stream read byte by byte gives the same result as in one piece", () => {
      const { runner, stream } = make();
      const bytes = Buffer.from(stream);

      const whole = fold(runner, bytes, { skipsDeltas: false });

      // Chunks of 1 and 3 bytes split every character that is not ASCII.
      for (const size of [1, 3, 64]) {
        expect(fold(runner, bytes, { skipsDeltas: false, chunk: size })).toEqual(whole);
      }
    });

    const { recorded } = make();
    if (recorded) describeRecordings(make, recorded);
  });
}

function describeRecordings(make: () => RunnerSubject, { whole, retry, resume }: Recorded): void {
  const read = ({ stream }: Recording, options: Partial<FoldOptions> = {}): AgentProgress =>
    fold(make().runner, Buffer.from(stream), { skipsDeltas: true, ...options });

  test("a recorded run has the old file as edited, the new one as created, and its report", () => {
    expect(read(whole)).toMatchObject({
      skippedLines: 0,
      editedFiles: ["/srv/app/old.txt"],
      createdFiles: ["/srv/app/new.txt"],
      deletedFiles: [],
      usage: whole.usage,
      openTools: [],
      lastTool: { name: "report_result", ok: true },
      retries: { count: 0, lastReason: null },
      lastMessage: "The work is done.",
      end: { ok: true, error: null },
    });
  });

  test("a recorded run shows the tools of our server under their plain names", () => {
    const { runner } = make();
    const started = whole.stream
      .split("\n")
      .flatMap((line) => runner.parse(line) ?? [])
      .filter((event) => event.type === "tool_started")
      .map(({ tool }) => tool);

    expect(started).toContain("report_result");
    expect(runner.toolName("report_result")).toMatch(/report_result$/);
  });

  test("a recorded retry is counted, and the text before it does not stay in the preview", () => {
    const { retries, ...progress } = read(retry, { skipsDeltas: false });

    expect(retries).toMatchObject({ count: 1, inARow: 0 });
    expect(retries.lastReason).toBeTruthy();
    expect(progress).toMatchObject({
      usage: retry.usage,
      lastMessage: "The work is done.",
      end: { ok: true },
    });
  });

  test("a recorded resume continues the conversation and counts only its own tokens", () => {
    const before = read(whole);

    const progress = read(resume, {
      progress: { ...NO_PROGRESS, usageBefore: before.sessionUsage },
      existed: () => true,
    });

    expect(progress).toMatchObject({
      sessionId: before.sessionId,
      editedFiles: ["/srv/app/new.txt"],
      createdFiles: [],
      usage: resume.usage,
      end: { ok: true },
    });
  });
}

function aRequest(over: Partial<RunRequest> = {}): RunRequest {
  return {
    agentId: "impl-code-1794733200-a3f2",
    model: "some-model",
    prompt: PROMPT,
    workingDirectory: "/srv/app",
    access: "read-write",
    runDirectory: RUN_DIRECTORY,
    mcp: SERVER,
    ...over,
  };
}

function existed(path: string): boolean {
  return !path.includes("new");
}

type FoldOptions = {
  readonly skipsDeltas: boolean;
  readonly chunk?: number;
  readonly progress?: AgentProgress;
  readonly existed?: (path: string) => boolean;
};

/** A minimal version of the spool reader. */
export function fold(runner: Runner, bytes: Uint8Array, options: FoldOptions): AgentProgress {
  let { progress = NO_PROGRESS } = options;
  let pending: Uint8Array = new Uint8Array();
  const size = options.chunk ?? bytes.length;
  for (let from = 0; from < bytes.length; from += size) {
    const data = Buffer.concat([pending, bytes.subarray(from, from + size)]);
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      progress = foldLine(runner, progress, data.subarray(start, end), options);
      start = end + 1;
    }
    pending = data.subarray(start);
  }
  return progress;
}

function foldLine(
  runner: Runner,
  before: AgentProgress,
  line: Uint8Array,
  { skipsDeltas, existed: wasThere = existed }: FoldOptions,
): AgentProgress {
  const progress = {
    ...before,
    lines: before.lines + 1,
    offset: before.offset + line.length + 1,
  };
  if (skipsDeltas && runner.isDelta(line, 0, line.length)) return progress;
  const events = runner.parse(Buffer.from(line).toString("utf8"));
  if (!events) return { ...progress, skippedLines: progress.skippedLines + 1 };
  return events.reduce<AgentProgress>((seen, event) => observe(seen, event, wasThere), progress);
}

const HOSTILE_LINES = [
  "",
  " ",
  "null",
  "true",
  "7",
  '"text"',
  "[]",
  '[{"type":"result"}]',
  "{}",
  '{"type":null}',
  '{"type":["assistant"]}',
  '{"__proto__":{"type":"result"}}',
  '{"type":"result","__proto__":null,"constructor":7,"toString":null}',
  '{"type":"tool_call","subtype":"completed","tool_call":{"__proto__":{"args":null}}}',
  "{",
  '{"type":"assistant"',
  "\u0000",
  "\uFEFF{}",
  "\uD800",
  "[".repeat(100_000),
  `{"type":"assistant","message":${'{"message":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
  "x".repeat(1_000_000),
];

const WRONG_VALUES: readonly unknown[] = [null, true, -1, 1e308, "x", [], [null], {}, { a: [1] }];

/** Variants of the line in which one value, at any depth, has a wrong type. */
function withWrongTypes(line: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  return variants(value).map((variant) => JSON.stringify(variant));
}

function variants(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) =>
      [...WRONG_VALUES, ...variants(item)].map((wrong) => value.with(at, wrong)),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    [...WRONG_VALUES, ...variants(inner)].map((wrong) => ({ ...value, [key]: wrong })),
  );
}

const PIECES = [
  '"',
  "\\",
  "\\u0041",
  "\\x",
  "}",
  "{",
  "]",
  ",",
  ":",
  "\u0001",
  " ",
  "0",
  '"timestamp_ms":1',
  '"timestamp_ms":"1"',
  ',"timestamp_ms":01',
  ',"timestamp_ms":1770000000000',
  '"model_call_id":"m"',
  ',"model_call_id":"m"',
  ',"type":"result"',
  ',"message":{}',
  ',"note":"\\"}]},"',
  '\\"model_call_id\\":',
  '"}]},"session_id":"s","timestamp_ms":1}',
  "👩‍💻",
].map((piece) => Buffer.from(piece));

/** A line with a few bytes removed, inserted or changed, or with the tail of another line. */
function bend(lines: readonly string[], random: (below: number) => number): Uint8Array {
  let bytes: Uint8Array = Buffer.from(lines[random(lines.length)] ?? "");
  for (let times = random(3); times >= 0; times--) {
    const at = random(bytes.length + 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (random(6)) {
      case 0:
        bytes = Buffer.concat([before, after.subarray(1 + random(12))]);
        break;
      case 1:
        bytes = Buffer.concat([before, Uint8Array.of(random(256)), after.subarray(1)]);
        break;
      case 2: {
        const other = Buffer.from(lines[random(lines.length)] ?? "");
        bytes = Buffer.concat([before, other.subarray(random(other.length + 1))]);
        break;
      }
      case 3:
        // Mutations after a comma or a brace hit keys, which finds more errors.
        bytes = insertAtComma(bytes, random);
        break;
      case 4:
        bytes = Buffer.concat([before, PIECES[random(PIECES.length)] ?? before, after]);
        break;
      default:
        break;
    }
  }
  return bytes;
}

function insertAtComma(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const commas = [...bytes.keys()].filter((at) => bytes[at] === 0x2c || bytes[at] === 0x7d);
  const at = commas[random(commas.length)] ?? 0;
  const piece = PIECES[random(PIECES.length)] ?? bytes;
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

/** Seeded pseudo-random numbers, so that a failure is repeatable. */
function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
