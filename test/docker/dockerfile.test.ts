import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { aPlace, readDaemonFile, until } from "../kit/daemon.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { parseDockerfile, parseEnv } from "./parse-dockerfile.ts";
import { baseEnvironment, isInContext, playDockerfile, type Played } from "./play-dockerfile.ts";

const INSTALL_WITHIN_MS = 600_000;
const IMAGE_WITHIN_MS = 600_000;

/** A program of each package that the image installs, to see whether it is installed here too. */
const PROGRAM_OF: Readonly<Record<string, string>> = {
  procps: "ps",
  git: "git",
  "ca-certificates": "update-ca-certificates",
};

const compose = z
  .object({
    services: z.object({
      app: z.strictObject({
        build: z.literal("."),
        init: z.literal(true),
        command: z.array(z.string()),
        ports: z.array(z.string()),
        volumes: z.array(z.string()),
        cap_drop: z.tuple([z.literal("ALL")]),
        security_opt: z.tuple([z.literal("no-new-privileges:true")]),
      }),
    }),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(readFileSync("docker-compose.yml", "utf8")));

describe("the Dockerfile's commands in a clean folder", () => {
  let image: string;
  let played: Played;
  beforeAll(async () => {
    image = mkdtempSync(join(tmpdir(), "kuromajutsu-image-"));
    played = await playDockerfile(image, HAS_ALL_ROUNDS);
  }, INSTALL_WITHIN_MS);
  afterAll(() => rmSync(image, { recursive: true, force: true }));

  test("install and build as a user who is not root", () => {
    expect(played).toMatchObject({ from: "node:24-slim", user: "node", exposed: "9696" });
    expect(played.cwd).toBe(join(image, "app"));
    expect(existsSync(join(played.cwd, "dist/kuromajutsu.js"))).toBe(true);
  });

  test("use only packages that are installed here too", () => {
    for (const name of played.packages) {
      const program = PROGRAM_OF[name];
      expect(program, `PROGRAM_OF has no ${name}`).toBeDefined();
      expect(spawnSync("which", [program ?? ""]).status, `${name} is not here`).toBe(0);
    }
  });

  test.each([
    ["the image", () => played.command],
    ["docker compose up", () => compose.services.app.command],
  ])(
    "%s starts a daemon that its health check finds, and ends it when told",
    async (_, command) => {
      const place = aPlace();
      const [program = "", ...args] = command();
      const env = { ...baseEnvironment(), ...played.env, ...place.env };
      const child = spawn(program, args, {
        cwd: played.cwd,
        env: { ...env, PATH: baseEnvironment()["PATH"] },
        stdio: "ignore",
      });
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      onTestFinished(() => void child.kill("SIGKILL"));
      await until(
        () => readDaemonFile(place) !== undefined,
        () => (child.exitCode === null ? undefined : `it ended with ${child.exitCode}`),
      );

      const port = new URL(readDaemonFile(place)?.url ?? "").port;
      expect(healthcheck(port)).toBe(0);
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(healthcheck(port)).toBe(1);
    },
  );

  function healthcheck(port: string): number | null {
    const [program = "", ...args] = played.healthcheck;
    const env = { ...baseEnvironment(), ...played.env, KUROMAJUTSU_PORT: port };
    return spawnSync(program, args, { env }).status;
  }
});

test.each([
  [".git", false],
  [".env.local", false],
  ["kuromajutsu.config.yaml", false],
  ["deploy/kuromajutsu.env", false],
  ["deploy/config", false],
  ["deploy/projects", false],
  ["deploy/secrets", false],
  ["deploy/scale.config.example.yaml", true],
  ["node_modules", false],
  ["web/node_modules", false],
  ["dist", false],
  ["kuromajutsu.config.example.yaml", true],
  [".npmrc", true],
  ["src/main/main.ts", true],
])("%s is sent to the build: %s", (path, isSent) => {
  expect(isInContext(path)).toBe(isSent);
});

test("the image listens where the compose file publishes, on the host's loopback only", () => {
  const { app } = compose.services;

  expect(app.ports).toEqual(["127.0.0.1:9696:9696"]);
  const settings = parseDockerfile(readFileSync("Dockerfile", "utf8"))
    .filter(({ name }) => name === "ENV")
    .flatMap(({ rest }) => parseEnv(rest));
  expect(Object.fromEntries(settings)).toEqual({
    KUROMAJUTSU_BIND: "0.0.0.0",
    KUROMAJUTSU_BEHIND_LOOPBACK: "1",
    KUROMAJUTSU_PORT: "9696",
    KUROMAJUTSU_DATA_DIR: "/data",
  });
});

test("the project is mounted; its node_modules and the data are volumes", () => {
  const { app } = compose.services;

  expect(app.volumes).toEqual([".:/app", "node_modules:/app/node_modules", "data:/data"]);
  expect(compose.volumes).toEqual({ node_modules: null, data: null });
});

const team = z
  .strictObject({
    services: z.strictObject({
      kuromajutsu: z.strictObject({
        image: z.string(),
        init: z.literal(true),
        restart: z.literal("unless-stopped"),
        ports: z.tuple([z.literal("127.0.0.1:9696:9696")]),
        env_file: z.literal("kuromajutsu.env"),
        volumes: z.array(z.string()),
        cap_drop: z.tuple([z.literal("ALL")]),
        security_opt: z.tuple([z.literal("no-new-privileges:true")]),
      }),
    }),
    volumes: z.strictObject({ data: z.null(), home: z.null() }),
  })
  .parse(parse(readFileSync("deploy/compose.yaml", "utf8")));

test("the compose file for users builds nothing, keeps data and home, and mounts the projects", () => {
  expect(team.services.kuromajutsu.image).toBe("${KUROMAJUTSU_IMAGE:-kuromajutsu-team}");
  expect(team.services.kuromajutsu.volumes).toEqual([
    "data:/data",
    "home:/home/node",
    "${KUROMAJUTSU_PROJECTS:-./projects}:/projects",
  ]);
});

test("the HTTPS variant requires people who sign in, and a name", () => {
  const https: unknown = parse(readFileSync("deploy/compose.https.yaml", "utf8"));

  expect(https).toMatchObject({
    services: {
      kuromajutsu: { environment: { KUROMAJUTSU_BEHIND_LOOPBACK: "0" } },
      caddy: { environment: { KUROMAJUTSU_HOST: expect.stringContaining(":?") } },
    },
  });
  expect(readFileSync("deploy/Caddyfile", "utf8")).toContain("reverse_proxy kuromajutsu:9696");
});

test("the recipe for a CLI adds to our image, and ends as the user node", () => {
  const steps = parseDockerfile(readFileSync("deploy/Dockerfile.claude", "utf8"));

  expect(steps[0]).toEqual({ name: "FROM", rest: "kuromajutsu" });
  expect(steps.at(-1)).toEqual({ name: "USER", rest: "node" });
  expect(steps.map(({ rest }) => rest).join("\n")).not.toMatch(/_KEY|TOKEN/);
});

test.each(["ARG x=1", "RUN cat <<EOF", "run npm ci", "VOLUME /data"])(
  "a line the parser does not know is refused: %s",
  (line) => {
    expect(() => parseDockerfile(`FROM node:24-slim\n${line}\n`)).toThrow("Not understood");
  },
);

describe("with a Docker engine", () => {
  test(
    "the image is built, runs as node and becomes healthy",
    async ({ skip }) => {
      if (docker("info").status !== 0) skip("skipped: no Docker engine here");
      const name = `kuromajutsu-test-${process.pid}`;
      onTestFinished(() => void docker("image", "rm", "--force", name));
      expect(docker("build", "--tag", name, "."), "docker build").toMatchObject({ status: 0 });
      expect(docker("run", "--rm", name, "id", "-un").stdout).toBe("node\n");

      docker("run", "--detach", "--rm", "--init", "--name", name, name);
      onTestFinished(() => void docker("rm", "--force", name));

      const health = () => docker("inspect", "--format", "{{.State.Health.Status}}", name).stdout;
      await until(() => health() === "healthy\n", undefined, 60_000);
    },
    IMAGE_WITHIN_MS,
  );

  test("docker compose accepts the compose files", ({ skip }) => {
    if (docker("compose", "version").status !== 0) skip("skipped: no docker compose here");

    expect(docker("compose", "config", "--quiet")).toMatchObject({ status: 0, stderr: "" });
    // As the document says: without the copies docker compose refuses.
    const folder = mkdtempSync(join(tmpdir(), "kuromajutsu-deploy-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync("deploy", folder, { recursive: true });
    copyFileSync(join(folder, "kuromajutsu.env.example"), join(folder, "kuromajutsu.env"));
    for (const names of [
      ["compose.yaml"],
      ["compose.yaml", "compose.https.yaml"],
      ["compose.scale.yaml"],
    ]) {
      const files = names.flatMap((name) => ["--file", join(folder, name)]);
      const env = { ...process.env, KUROMAJUTSU_HOST: "kuro.example.com" };
      const args = ["compose", ...files, "config", "--quiet"];
      const answer = spawnSync("docker", args, { encoding: "utf8", env });
      expect(answer, `docker compose with ${names.join()}`).toMatchObject({
        status: 0,
        stderr: "",
      });
    }
  });
});

function docker(...args: readonly string[]) {
  return spawnSync("docker", args, { encoding: "utf8" });
}
