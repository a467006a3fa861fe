import { expect, test } from "vitest";
import { aRepository, git } from "../../../test/kit/repository.ts";
import { fetchableUrl } from "./remote-url.ts";

test.for([
  ["https://git.example.com/app.git", "https://git.example.com/app.git"],
  ["https://hana:secret@git.example.com/app.git", "https://git.example.com/app.git"],
  ["https://ghp_secret@git.example.com/app.git", "https://git.example.com/app.git"],
  ["ssh://git@git.example.com:2222/app.git", "ssh://git@git.example.com:2222/app.git"],
  ["ssh://git:secret@git.example.com/app.git", "ssh://git@git.example.com/app.git"],
  ["git@git.example.com:team/app.git", "git@git.example.com:team/app.git"],
  ["/srv/git/app.git", "/srv/git/app.git"],
] as const)("workers are given the address %s without secrets", ([url, given]) => {
  expect(fetchableUrl(url)).toBe(given);
});

test.for([
  "ext::sh -c 'touch /tmp/x'",
  "-oProxyCommand=x:app",
  "../app.git",
  "persistent-https://git.example.com/app.git",
  "https://git.example.com/a\nb",
  "",
])("the address %j is not given to workers", (url) => {
  expect(fetchableUrl(url)).toBeUndefined();
});

test("the remote of a repository is origin, or else the first one", async () => {
  const { git: adapter, root, common } = aRepository();
  expect(await adapter.remoteUrl(common)).toBeUndefined();
  git(root, "remote", "add", "first", "/srv/first.git");
  git(root, "remote", "add", "second", "/srv/second.git");
  expect(await adapter.remoteUrl(common)).toBe("/srv/first.git");
  git(root, "remote", "add", "origin", "https://hana:secret@git.example.com/app.git");
  expect(await adapter.remoteUrl(common)).toBe("https://git.example.com/app.git");
});
