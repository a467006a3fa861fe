import { existsSync, readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { configSchema } from "../../src/contract/config/schema.ts";

const secret = z.union([z.string(), z.object({ source: z.string(), target: z.string() })]);
const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  secrets: z.array(secret).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
});
const range = z.strictObject({ subnet: z.string(), gateway: z.string(), ip_range: z.string() });
const file = z
  .looseObject({
    services: z.record(z.string(), service),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
    volumes: z.record(z.string(), z.null()),
    networks: z.object({ default: z.object({ ipam: z.object({ config: z.tuple([range]) }) }) }),
  })
  // Anchors with `<<` are how YAML 1.1, and so docker compose, shares settings.
  .parse(parse(readFileSync("deploy/compose.scale.yaml", "utf8"), { merge: true }));
const { services } = file;
const SERVERS = ["server-a", "server-b"];
const WORKERS = ["worker-1", "worker-2", "worker-3"];
const OURS = ["migrate", ...SERVERS, ...WORKERS];

const example = configSchema.parse(parse(readFileSync("deploy/scale.config.example.yaml", "utf8")));

/** The options of the command of a worker. */
function optionsOf(name: string): Record<string, string | undefined> {
  const [, , command, ...words] = services[name]?.command ?? [];
  expect(command).toBe("worker");
  const names = words.filter((_, at) => at % 2 === 0);
  return Object.fromEntries(names.map((option, at) => [option, words[2 * at + 1]]));
}

function minutes(text: unknown): number {
  return Number(/^(\d+)m$/.exec(String(text))?.[1]);
}

function isIn(network: string, address: string): boolean {
  const [start = "", bits] = network.split("/");
  const list = new BlockList();
  list.addSubnet(start, Number(bits), "ipv4");
  return list.check(address, "ipv4");
}

function secretsOf(name: string): readonly string[] {
  const { secrets = [] } = services[name] ?? {};
  return secrets.map((each) => (typeof each === "string" ? each : each.source));
}

test("the compose file for scale has PostgreSQL, two servers, three workers, and only the proxy has ports", () => {
  expect(Object.keys(services).toSorted()).toEqual([...OURS, "caddy", "postgres"].toSorted());
  const published = Object.keys(services).filter((name) => services[name]?.ports.length);
  expect(published).toEqual(["caddy"]);
  for (const name of OURS) {
    expect(services[name]).toMatchObject({
      init: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  }
});

test("in the compose file for scale the servers need people who sign in, and wait for the tables", () => {
  for (const name of SERVERS) {
    expect(services[name]).toMatchObject({
      environment: { KUROMAJUTSU_BEHIND_LOOPBACK: "0" },
      depends_on: { migrate: { condition: "service_completed_successfully" } },
    });
  }
  expect(services["migrate"]?.command).toEqual(["node", "bin/kuromajutsu.js", "migrate"]);
  expect(services["postgres"]?.environment["POSTGRES_INITDB_ARGS"]).toContain(
    "--auth-local=scram-sha-256",
  );
});

test("in the compose file for scale every process has a volume of its own for its data", () => {
  const data = [...SERVERS, ...WORKERS].map((name) =>
    services[name]?.volumes.find((volume) => volume.endsWith(":/data")),
  );
  expect(data.every((volume) => volume !== undefined)).toBe(true);
  expect(new Set(data).size).toBe(data.length);
  const named = Object.values(services)
    .flatMap(({ volumes }) => volumes)
    .map((volume) => volume.split(":")[0] ?? "")
    .filter((source) => /^[a-z]/.test(source));
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(file.volumes).toSorted());
});

test("in the compose file for scale no worker reaches the database, and no secret is in it", () => {
  for (const name of WORKERS) {
    expect(secretsOf(name)).toEqual([`${name}-token`]);
    expect(services[name]?.volumes.join()).not.toContain("postgresql");
    expect(optionsOf(name)).toEqual({
      "--server": expect.stringMatching(/^https:.*KUROMAJUTSU_HOST:[?]/),
      "--token-file": "/run/secrets/worker-token",
      "--slots": "10",
      "--label": "docker",
      "--drain": "10m",
      "--data": "/data",
    });
  }
  expect(
    Object.keys(services)
      .flatMap(secretsOf)
      .every((name) => name in file.secrets),
  ).toBe(true);
  for (const each of Object.values(file.secrets))
    expect(existsSync(`deploy/${each.file}`)).toBe(false);
});

test("the proxy of the compose file for scale uses both servers and takes out one that is not ready", () => {
  const proxy = readFileSync("deploy/Caddyfile.scale", "utf8");

  expect(proxy).toContain(`reverse_proxy ${SERVERS.map((name) => `${name}:9696`).join(" ")} {`);
  expect(proxy).toContain("health_uri /api/health/ready");
});

test("in the compose file for scale a worker that is stopped has time to let its agents finish", () => {
  for (const name of WORKERS) {
    const grace = services[name]?.["stop_grace_period"];
    expect(grace).toBe("11m");
    expect(minutes(optionsOf(name)["--drain"])).toBeLessThan(minutes(grace));
  }
});

test("the example configuration of the compose file for scale is valid, and workers run all agents", () => {
  expect(example.dashboard.hosts).toEqual(expect.arrayContaining(SERVERS));
  expect(example.store.urlFile).toBe("/run/secrets/database-url");
  expect(SERVERS.map(secretsOf)).toEqual([["database-url"], ["database-url"]]);
  expect(example.server.slots).toBe(0);
  const slots = WORKERS.map((name) => Number(optionsOf(name)["--slots"]));
  expect(example.agent.maxConcurrent).toBe(slots.reduce((sum, each) => sum + each, 0));
});

test("the servers of the compose file for scale trust only the proxy, whose address no other container gets", () => {
  const { networks } = z
    .looseObject({ networks: z.object({ default: z.looseObject({ ipv4_address: z.ipv4() }) }) })
    .parse(services["caddy"]);
  const { ipv4_address: proxy } = networks.default;
  const { subnet, gateway, ip_range: others } = file.networks.default.ipam.config[0];

  expect(example.server.trustedProxies).toEqual([proxy]);
  expect(isIn(subnet, proxy)).toBe(true);
  expect(isIn(others, proxy)).toBe(false);
  expect(proxy).not.toBe(gateway);
});

test.each(["docs/docker.md", "docs/docker.ja.md"])(
  "the CA file in %s is where the workers of the compose file for scale can only read it",
  (document) => {
    const text = readFileSync(document, "utf8");
    const [, folder = "", name] = /NODE_EXTRA_CA_CERTS=(\/\w+)\/(\S+)/.exec(text) ?? [];
    for (const worker of WORKERS) {
      const mounted = services[worker]?.volumes.filter((volume) => volume.includes(`:${folder}`));
      expect(mounted).toEqual([`.${folder}:${folder}:ro`]);
    }
    expect(text).toContain(`root.crt >${folder.slice(1)}/${name}\n`);
  },
);

test.each(["docs/docker.md", "docs/docker.ja.md"])(
  "the steps in %s make every file that the compose file for scale mounts",
  (document) => {
    const [, steps = ""] =
      /^```bash\n(cd deploy\n.*?)^```$/ms.exec(readFileSync(document, "utf8")) ?? [];
    const made = steps
      .replace(/^for n in 1 2 3; do$(.*?)^done$/ms, (_, body: string) =>
        [1, 2, 3].map((n) => body.replaceAll("$n", String(n))).join("\n"),
      )
      .split(/\s+/)
      .map((word) => word.replace(/^>/, ""));
    const folders = Object.values(services)
      .flatMap(({ volumes }) => volumes)
      .map((volume) => /^(?:\$\{\w+:-)?\.\/(\w+)\}?:/.exec(volume)?.[1])
      .filter((name) => name !== undefined);
    const needed = [
      "kuromajutsu.env",
      "config/kuromajutsu.config.yaml",
      ...folders,
      ...Object.values(file.secrets).map(({ file: path }) => path.replace("./", "")),
    ];

    expect(new Set(folders)).toEqual(new Set(["ca", "config", "projects"]));
    expect(made).toEqual(expect.arrayContaining(needed));
  },
);
