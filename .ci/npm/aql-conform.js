#!/usr/bin/env node
// Starts the program of this platform, which an optional dependency of the package brings.
"use strict";
const { spawn } = require("node:child_process");

const failed = (why) => {
  console.error(`aql-conform: ${why}`);
  process.exit(6); // the checker's own fault
};

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "aql-conform.exe" : "aql-conform";
let program;
try {
  program = require.resolve(`@aql-conform/${platform}/${name}`);
} catch {
  failed(`the package @aql-conform/${platform} is not installed; npm leaves it out with --omit=optional, and not every platform has one`);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (err) => failed(err.message));
child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));

// A terminal sends an interrupt to both, and a second one would end the run at once.
const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  const pass = () => {
    if (signal !== "SIGINT" || !terminal) child.kill(signal);
  };
  process.on(signal, pass);
  child.on("exit", () => process.off(signal, pass));
}
