import * as z from "zod";
import { MERGE_MODES } from "../../../domain/merges/merge.ts";
import { ISOLATIONS } from "../../../domain/workspaces/workspace.ts";
import { defaultConfig, WORKSPACE_BASES } from "../defaults.ts";
import { list, MAX_TIMER_MS, oneOf, section, text, wholeNumber } from "../fields.ts";

const DEFAULTS = defaultConfig().workspace;

/** In bytes it is still an exact number. */
const MAX_MB = 1_000_000_000;
const MAX_DAYS = 36_500;

const GLOB_RULE = "a glob below the repository, such as `.env*`: not absolute and without `..`";
const glob = z
  .string({ error: GLOB_RULE })
  .max(500, { error: GLOB_RULE })
  // A colon would begin an option of git, an exclamation mark an exclusion.
  .regex(/^(?![/:!~])(?!.*(?:^|\/)\.\.(?:\/|$))[^\0\r\n\\]*[^\0\r\n\\\s]$/, { error: GLOB_RULE });

const COMMAND_RULE = "a command line for `sh -c`";
const commandLine = z
  .string({ error: COMMAND_RULE })
  .max(10_000, { error: `${COMMAND_RULE} of at most 10000 characters` })
  .regex(/\S/, { error: COMMAND_RULE })
  .regex(/^[^\0]*$/, { error: COMMAND_RULE });

const BRANCH_RULE = "the name of a branch, without `refs/heads/`";
/** As `git check-ref-format --branch` accepts it. */
const branch = z
  .string({ error: BRANCH_RULE })
  .max(200, { error: BRANCH_RULE })
  .regex(
    /^(?!refs\/|-|HEAD$|@$)(?!.*(?:\.\.|\/\/|\/\.|\.lock(?:\/|$)|@\{))[^\p{Cc}\s~^:?*[\\./][^\p{Cc}\s~^:?*[\\]*$/u,
    { error: BRANCH_RULE },
  )
  .regex(/[^./]$/, { error: BRANCH_RULE });

export const mergeSection = z.strictObject(
  {
    mode: oneOf(MERGE_MODES)
      .default(DEFAULTS.merge.mode)
      .describe(
        "How a change comes into the branch: as one commit (`squash`), with a merge commit, or commit by commit (`rebase`).",
      ),
    target: branch
      .exactOptional()
      .describe(
        "The branch that changes are merged into. Left out: the branch that was checked out where the work was asked for.",
      ),
  },
  { error: "a map with the keys mode and target" },
);

export const portsSection = z.strictObject(
  {
    from: wholeNumber(1_024, 65_535)
      .default(DEFAULTS.ports.from)
      .describe("The first port that agents get."),
    to: wholeNumber(1_024, 65_535).default(DEFAULTS.ports.to).describe("The last one."),
    perAgent: wholeNumber(0, 1_000)
      .default(DEFAULTS.ports.perAgent)
      .describe(
        "How many ports in a row an agent gets, as `PORT`, `KUROMAJUTSU_PORT_FROM` and `KUROMAJUTSU_PORT_TO`. 0: none.",
      ),
  },
  { error: "a map with the keys from, to and perAgent" },
);

export const workspaceSection = z.strictObject(
  {
    isolation: oneOf(ISOLATIONS)
      .default(DEFAULTS.isolation)
      .describe(
        "Whether agents work in git worktrees of their own. `auto`: an agent that may write files does if another one could write to the same git checkout at the same time. `worktree`: an agent that cannot have one is refused. `none`: agents share the directory.",
      ),
    root: text("a path")
      .exactOptional()
      .describe(
        "Where worktrees are made, relative to this file. Choose a place outside of your repositories. Left out: `workspaces` in the data directory.",
      ),
    base: oneOf(WORKSPACE_BASES)
      .default(DEFAULTS.base)
      .describe(
        "Where the work begins: at the commit that is checked out, or with your uncommitted work on top of it.",
      ),
    copy: list(glob, "a list of globs").describe(
      "Globs of files that git ignores and a new worktree needs, such as `.env`. They are copied; agents can read them.",
    ),
    setup: commandLine
      .exactOptional()
      .describe("Command line that prepares a new worktree, such as `npm ci`; run by `sh -c`."),
    setupTimeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.setupTimeout_ms)
      .describe("After this time `setup` is ended and counts as failed."),
    check: commandLine
      .exactOptional()
      .describe(
        "Command line that must end with 0 before a change is merged, such as `npm test`; run by `sh -c` on the merged result.",
      ),
    checkTimeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.checkTimeout_ms)
      .describe("After this time `check` is ended and counts as failed."),
    merge: section(mergeSection).describe("How changes are merged."),
    maxTotal_mb: wholeNumber(0, MAX_MB)
      .default(DEFAULTS.maxTotal_mb)
      .describe(
        "When worktrees use more disk than this (in MB of 1,048,576 bytes), no further one is made. 0: no limit.",
      ),
    maxFile_mb: wholeNumber(1, MAX_MB)
      .default(DEFAULTS.maxFile_mb)
      .describe("A new file that is larger than this (in MB) is left out of the change."),
    maxNewFiles: wholeNumber(1, 10_000_000)
      .default(DEFAULTS.maxNewFiles)
      .describe(
        "When an agent has made more new files than this, they are left out of the change.",
      ),
    keepDecided_hours: wholeNumber(0, MAX_DAYS * 24)
      .default(DEFAULTS.keepDecided_hours)
      .describe("How long a worktree stays after its change was merged or discarded."),
    keepOpen_days: wholeNumber(1, MAX_DAYS)
      .default(DEFAULTS.keepOpen_days)
      .describe(
        "How long a worktree stays without a decision. Its change stays as commits, and the worktree can be made again.",
      ),
    keepRefs_days: wholeNumber(1, MAX_DAYS)
      .default(DEFAULTS.keepRefs_days)
      .describe("How long the commits of a merged or discarded change are kept."),
    ports: section(portsSection).describe("Ports that agents may use for servers they start."),
  },
  { error: "a map of workspace settings" },
);
