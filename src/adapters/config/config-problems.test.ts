import { describe, expect, test } from "vitest";
import { configErrorOf, loadText } from "../../../test/kit/config-file.ts";

describe("broken YAML", () => {
  test.each([
    ["an open bracket", "log: [1\nlocale: ja\n", "FILE:2:1", "must be sufficiently indented"],
    ["an open quote", "locale: 'ja\n", "FILE:2:1", "Missing closing 'quote"],
    ["a tab", "log:\n\tlevel: info\n", "FILE:2:1", "a tab is used for indentation; use spaces"],
    ["a second colon", "log: level: info\n", "FILE:1:6", "Nested mappings are not allowed"],
    ["two documents", "locale: ja\n---\nlocale: en\n", "FILE:2:1", "expected one document"],
    ["a strange tag", "locale: !lang ja\n", "FILE:1:9", "Unresolved tag: !lang; remove the tag"],
    ["depth", `log: ${"[".repeat(5000)}${"]".repeat(5000)}`, "FILE:1", "nested too deeply"],
  ])("%s is a YAML syntax error with its line", async (_, text, place, problem) => {
    const error = await configErrorOf(loadText(text));

    expect(error).toContain("YAML syntax error: ");
    expect(error).toContain(problem);
    expect(error).toContain(place);
    expect(error).not.toContain("not found");
  });

  test.each([
    ["twice in a block", "locale: ja\nlog: {}\nlocale: en\n", 'FILE:3:1\n  the key "locale"'],
    ["twice in a flow map", "log: {level: info, level: info}", 'FILE:1:20\n  the key "level"'],
  ])("a key %s is refused", async (_, text, problem) => {
    expect(await configErrorOf(loadText(text))).toContain(
      `${problem} appears twice in the same map`,
    );
  });

  test.each([
    ["no anchor", "log: *nope\n", "FILE:1:6\n  the alias *nope has no anchor before it"],
    ["itself inside", "log: &a {level: *a}\n", "FILE:1:17\n  the alias *a contains itself"],
    ["99 friends", `a: &a 1\nb: [${"*a,".repeat(101)}]`, "more than 100 aliases"],
    ["a bomb", bomb(), "FILE:9:42\n  aliases of aliases expand too far"],
  ])("an alias with %s is refused", async (_, text, problem) => {
    expect(await configErrorOf(loadText(text))).toContain(problem);
  });

  test("a megabyte of invalid text is refused quickly, with the first problems only", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `key${index}: 1`);

    const error = await configErrorOf(loadText(lines.join("\n")));

    expect(error).toContain("The configuration has 60000 problems:");
    expect(error).toContain("… and 59980 more.");
  });
});

function bomb(): string {
  const levels = Array.from({ length: 8 }, (_, index) => {
    const below = Array.from({ length: 9 }, () => `*a${index}`).join(",");
    return `a${index + 1}: &a${index + 1} [${below}]`;
  });
  return ["a0: &a0 [x,x,x,x,x,x,x,x,x]", ...levels].join("\n");
}

describe("wrong settings", () => {
  test("all problems are reported at once, in the order of the file, with line and caret", async () => {
    const text = `dashboard:
  prot: 9696
agent:
  maxConcurrent: many
roles:
  - id: research
    name: 調査員
    tools: [textlnt]
  - id: research
loacle: en
`;

    expect(await configErrorOf(loadText(text, { KUROMAJUTSU_PORT: "x" })))
      .toBe(`The configuration has 6 problems:

KUROMAJUTSU_PORT: found "x"; expected a whole number from 0 to 65535

FILE:2:3
  dashboard.prot: unknown key; did you mean "port"?
  2 |   prot: 9696
    |   ^

FILE:4:18
  agent.maxConcurrent: found the text "many"; expected a whole number from 1 to 1000
  4 |   maxConcurrent: many
    |                  ^

FILE:8:13
  roles[0].tools[0]: no role tool has the id "textlnt"; did you mean "textlint"?
  8 |     tools: [textlnt]
    |             ^

FILE:9:9
  roles[1].id: "research" is already the id of roles[0]; each id may appear once
  9 |   - id: research
    |         ^

FILE:10:1
  loacle: unknown key; did you mean "locale"?
  10 | loacle: en
     | ^`);
  });

  test.each([
    ["[1, 2]", "FILE:1:1\n  the file: found a list; expected a map of settings"],
    ["just words", 'the file: found the text "just words"; expected a map of settings'],
    [
      "dashboard: 9696",
      "dashboard: found the number 9696; expected a map with the keys port, hosts and origins",
    ],
    ["dashboard:\n  port:\n", "FILE:2:8\n  dashboard.port: found nothing; expected a whole number"],
    ["dashboard: {port: [1]}", "dashboard.port: found a list; expected a whole number"],
    ["dashboard: {port: {a: 1}}", "dashboard.port: found a map; expected a whole number"],
    ["dashboard: {port: true}", "dashboard.port: found true; expected a whole number"],
    ["dashboard: {port: .nan}", "dashboard.port: found the number NaN; expected a whole number"],
    [
      "agent: {max_concurrent: 2}",
      'agent.max_concurrent: unknown key; did you mean "maxConcurrent"?',
    ],
    ["server: {slots: -1}", "server.slots: found the number -1; expected a whole number from 0"],
    ["server: {labels: [GPU]}", 'server.labels[0]: found the text "GPU"; expected a label such as'],
    ["agent: {limits: {gpu: 0}}", "agent.limits.gpu: found the number 0; expected a whole number"],
    ["agent: {limits: {GPU: 1}}", "expected a map from label (lower-case, such as gpu)"],
    ["roles: [{id: research, onLost: again}]", "expected one of report, requeue"],
    ["agent: {defaultTimeoutMs: 2}", 'did you mean "defaultTimeout_ms"?'],
    [
      "agent: {quux: 2}",
      "unknown key; the keys here are runner, rehearseWithoutCli, maxConcurrent, maxQueued",
    ],
    [
      "teams: {}",
      "teams: unknown key; the keys here are locale, server, dashboard, agent, log, healthCheck, history, store, prices, tasks, workspace, interrupt, alerts, mcpServers, slack, telemetry, auth, roles, tools",
    ],
    [
      "prices: {models: {opus: {input: 1, output: 2, cached: 3}}}",
      "prices.models.opus.cached: unknown key; the keys here are input, output, cacheRead, cacheWrite",
    ],
    [
      "prices: {models: {opus: {input: 1, ouput: 2}}}",
      'prices.models.opus.ouput: unknown key; did you mean "output"?',
    ],
    ["__proto__: {a: 1}", "__proto__: unknown key"],
    ["log: {level: verbose}", 'found the text "verbose"; expected one of debug, info, warn, error'],
    [
      "agent: {runner: cursr}",
      'expected one of auto, cursor, claude, codex, gemini, opencode, acp, rehearsal; did you mean "cursor"?',
    ],
    [
      "roles: [{id: research, runner: [claude, codx]}]",
      'roles[0].runner[1]: found the text "codx"; expected one of cursor, claude, codex, gemini, opencode, acp; did you mean "codex"?',
    ],
    [
      "agent: {runner: [claude, codex, claude]}",
      'agent.runner[2]: found the text "claude"; expected each runner once in a fallback list',
    ],
    [
      "agent: {runner: [claude, auto]}",
      'agent.runner[1]: found the text "auto"; expected one of cursor, claude, codex, gemini, opencode, acp (`auto` tries all of them, so it stands alone)',
    ],
    [
      "agent: {runner: [claude, rehearsal]}",
      "(a rehearsal does no work, so it cannot replace a CLI)",
    ],
    ["agent: {runner: []}", "agent.runner: found a list; expected at least one runner"],
    [
      "agent: {runner: 3}",
      "agent.runner: found the number 3; expected a runner, auto, or a list of runners",
    ],
    [
      "roles: [{id: research, model: 4.1}]",
      'or a map from runner to model name (write it in quotes: "4.1")',
    ],
    [
      "roles: [{id: research, name: 12}]",
      'expected a text that is not empty (write it in quotes: "12")',
    ],
    [
      "roles: [{id: research, model: {cursr: x}}]",
      'roles[0].model.cursr: unknown key; did you mean "cursor"?',
    ],
    [
      "roles: [{id: research, model: {claude: 3}}]",
      "roles[0].model.claude: found the number 3; expected a model name",
    ],
    ["roles: [hello]", 'roles[0]: found the text "hello"; expected a map that describes one role'],
    [
      "roles: [{name: x}]",
      "FILE:1:9\n  roles[0].id: missing; expected an id of lower-case letters",
    ],
    [
      "roles: [{id: Bad_Id}]",
      "expected an id of lower-case letters, digits and hyphens, at most 40",
    ],
    [
      "roles: [{id: mine}]",
      '"mine" is not a built-in role, so it needs name, description, model, systemPrompt',
    ],
    ["roles: [{id: reserch, disabled: true}]", '(or did you mean the built-in role "research"?)'],
    ["roles: [{id: planer}]", '(or did you mean the built-in role "planner"?)'],
    ["roles: [{id: research, tools: [zzz]}]", 'no role tool has the id "zzz"; there are textlint'],
    [
      "mcpServers: {posts: {command: p}}\nroles: [{id: research, mcpServers: [pots]}]",
      'roles[0].mcpServers[0]: no MCP server has the name "pots"; did you mean "posts"?',
    ],
    ["alerts: {rules: [{}]}", "alerts.rules[0].on: missing; expected a list of kinds, such as"],
    [
      "alerts: {rules: [{on: [task.wating], to: [browser]}]}",
      'alerts.rules[0].on[0]: found the text "task.wating"; expected one of task.waiting',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [mail:ops]}]}",
      'alerts.rules[0].to[0]: found the text "mail:ops"; expected browser, webhook:<name of',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [webhook:opz]}], webhooks: {ops: {url: http://a.example, secretEnv: A}}}",
      'alerts.rules[0].to[0]: alerts.webhooks has no "opz"; did you mean "ops"?',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [webhook:ops]}]}",
      'alerts.webhooks has no "ops"; add it: alerts.webhooks.ops with url and secretEnv',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [browser], for: [aoi]}]}",
      'alerts.rules[0].for[0]: nobody has the id "aoi"; there are local',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [browser], for: everyone}]}",
      'alerts.rules[0].for: found the text "everyone"; expected one of requester, all',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [browser], quietHours: {from: 22:00, to: '7:00'}}]}",
      'alerts.rules[0].quietHours.to: found the text "7:00"; expected a time of day in quotes',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [browser], quietHours: {from: '22:00', to: '07:00', timeZone: Tokyo}}]}",
      'timeZone: found the text "Tokyo"; expected the name of a time zone, such as Asia/Tokyo',
    ],
    [
      "alerts: {rules: [{on: [task.failed], to: [browser], digest_ms: 15m}]}",
      'alerts.rules[0].digest_ms: found the text "15m"; expected a whole number',
    ],
    [
      "alerts: {webhooks: {ops: {url: ftp://a.example, secretEnv: A}}}",
      "alerts.webhooks.ops.url: found the text",
    ],
    [
      "alerts: {webhooks: {ops: {url: http://a.example, secretEnv: whsec_abc=}}}",
      "expected the name of an environment variable, not its value",
    ],
    [
      "alerts: {webhooks: {ops: {url: http://a.example, urlEnv: B, secretEnv: A}}}",
      "alerts.webhooks.ops: found a map; expected a map with either url or urlEnv",
    ],
    ["alerts: {webhooks: {Ops: {url: http://a.example, secretEnv: A}}}", "alerts.webhooks.Ops"],
    ["tools: [{id: a}]", "tools[0].name: missing; expected a text that is not empty"],
    ["telemetry: {otlpEndpoint: 4318}", "telemetry.otlpEndpoint: "],
    ["telemetry: {otlpEndpoint: localhost}", "such as http://127.0.0.1:4318"],
    ['telemetry: {otlpEndpoint: "http://a:b@x.example"}', "such as http://127.0.0.1:4318"],
    ["tools: [{id: a}, {id: a}]", 'tools[1].id: "a" is already the id of tools[0]'],
  ])("%s", async (text, problem) => {
    expect(await configErrorOf(loadText(text))).toContain(problem);
  });

  test("a problem inside an alias is shown where the value is written", async () => {
    const text = "roles:\n  - &r\n    id: research\n    nmae: x\n  - *r\n";

    const error = await configErrorOf(loadText(text));

    expect(error).toContain('FILE:4:5\n  roles[1].nmae: unknown key; did you mean "name"?');
  });

  test("the caret points at the right column after Japanese text", async () => {
    const error = await configErrorOf(
      loadText("roles: [{id: research, name: 調査員, acces: read-only}]\n"),
    );

    expect(error).toContain(
      "  1 | roles: [{id: research, name: 調査員, acces: read-only}]\n" +
        "    |                                      ^",
    );
  });

  test("a very long line is cut around the problem", async () => {
    const error = await configErrorOf(
      loadText(`{locale: ja, ${" ".repeat(5000)}acces: 1, x: ${"y".repeat(5000)}}`),
    );

    expect(error.split("\n").every((line) => line.length < 220)).toBe(true);
    expect(error).toContain("acces: 1, x: yyy");
  });

  test("a file cannot send control sequences to the terminal", async () => {
    const error = await configErrorOf(loadText('"\\e[31mred\\x9b": 1\n"a\u{9B}b": "\\x9b"\n'));

    // oxlint-disable-next-line no-control-regex
    expect(error).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  });
});

describe("problems in Japanese", () => {
  test("every problem of a file exists in Japanese too, with its place", async () => {
    const text = `agent: { maxConcurrent: viele, unknwn: 1 }
dashboard: { port: 99999 }
locale: jp
roles:
  - id: mine
    model: 4.1
    mcpServers: [pots]
mcpServers: { pot: { command: "true" } }
tasks: { approval: not-requester }
`;
    const ja = await configErrorOf(loadText(text), "ja");

    expect(ja).toContain("設定に問題が 8 件あります。");
    expect(ja).toContain(
      'agent.maxConcurrent: 文字列 "viele" が書かれています。1 から 1000 までの整数を書いてください。',
    );
    expect(ja).toContain("agent.unknwn: このキーはありません。");
    expect(ja).toContain(
      'locale: 文字列 "jp" が書かれています。ja, en のいずれかを書いてください。',
    );
    expect(ja).toContain('（引用符で囲むと文字列になります: "4.1"）');
    expect(ja).toContain(
      "「pots」という MCP サーバーはありません。「pot」の間違いではありませんか?",
    );
    expect(ja).not.toMatch(/expected|found|did you mean|needs/);
  });
});
