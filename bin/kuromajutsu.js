#!/usr/bin/env node
// Old JavaScript syntax: this file must run on any Node, to say which Node is needed.
"use strict";
var path = require("path");
var fs = require("fs");

var NEEDED = 24;
var program = path.join(__dirname, "..", "dist", "kuromajutsu.js");

if (majorOf(process.versions.node) >= NEEDED) {
  start();
} else {
  startWithNewerNode();
}

function start() {
  if (!fs.existsSync(program)) {
    fail("dist/ is missing. Run `npm run build` in " + path.join(__dirname, "..") + " first.");
  }
  process.argv[1] = __filename;
  require(program);
}

function startWithNewerNode() {
  var node = findNode();
  if (!node) {
    fail(
      "Kuromajutsu needs Node " +
        NEEDED +
        " or newer; this is " +
        process.version +
        ".\n" +
        "Either run `npm ci` (it brings its own on Linux and on Intel Macs), install Node " +
        NEEDED +
        ",\nor set KUROMAJUTSU_NODE to the path of one.",
    );
  }
  var child = require("child_process").spawn(node, [__filename].concat(process.argv.slice(2)), {
    stdio: "inherit",
  });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("error", function (error) {
    fail("Could not start " + node + ": " + error.message);
  });
  child.on("exit", function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exit(code);
    }
  });
}

function findNode() {
  var candidates = [process.env.KUROMAJUTSU_NODE]
    .concat(bundledNodes())
    .concat(nodesOnPath())
    .filter(Boolean);
  for (var i = 0; i < candidates.length; i++) {
    if (fs.existsSync(candidates[i]) && majorOf(versionOf(candidates[i])) >= NEEDED) {
      return candidates[i];
    }
  }
  return undefined;
}

// `npm ci` installs Node as a package, so an older Node is enough to start.
function bundledNodes() {
  return ["node-" + process.platform + "-" + process.arch, "node"].map(function (name) {
    try {
      return path.join(path.dirname(require.resolve(name + "/package.json")), "bin", "node");
    } catch (notInstalled) {
      void notInstalled;
      return undefined;
    }
  });
}

function nodesOnPath() {
  return (process.env.PATH || "")
    .split(path.delimiter)
    .filter(Boolean)
    .map(function (folder) {
      return path.join(folder, "node");
    });
}

function versionOf(node) {
  var answer = require("child_process").spawnSync(node, ["--version"], { encoding: "utf8" });
  return (answer.stdout || "").trim().replace(/^v/, "");
}

function majorOf(version) {
  return parseInt(version, 10) || 0;
}

function fail(message) {
  process.stderr.write(message + "\n");
  process.exit(1);
}
