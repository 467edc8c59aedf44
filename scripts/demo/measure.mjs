// Runs a command and prints its wall-clock seconds and the most memory it ever had, in KiB.
//
//   node scripts/demo/measure.mjs COMMAND...

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const [command, ...args] = process.argv.slice(2);
const begin = process.hrtime.bigint();
const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
let talk = "";
child.stderr.on("data", (data) => (talk += data));
let peak = 0;
const timer = setInterval(() => {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
    if (found) peak = Math.max(peak, Number(found[1]));
  } catch {
    // It has ended.
  }
}, 20);
child.on("close", (code) => {
  clearInterval(timer);
  if (code !== 0) {
    process.stderr.write(talk);
    process.exit(code ?? 1);
  }
  console.log(Number(process.hrtime.bigint() - begin) / 1e9, peak);
});
