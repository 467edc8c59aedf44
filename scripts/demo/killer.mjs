// Runs a command again and again, and kills it with SIGKILL after a random time, until it ends by itself.
//
//   node scripts/demo/killer.mjs SEED KILLS COMMAND...
//
// The times are between 100 and 500 milliseconds and follow from the seed. After so many kills the command may run to
// its end, so that this ends on a machine that is too busy to get anywhere in half a second. Prints how often it was
// killed; exits as the command did.

import { spawn } from "node:child_process";

const [seed, most, ...command] = process.argv.slice(2);

// mulberry32: small, seeded, good enough to draw times with.
let state = Number(seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function once(after) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "ignore", "pipe"] });
    let talk = "";
    child.stderr.on("data", (data) => (talk += data));
    const timer = after === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), after);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, killed: signal === "SIGKILL", talk });
    });
  });
}

let kills = 0;
let retries = 0;
for (;;) {
  const end = await once(kills < Number(most) ? 100 + Math.floor(random() * 400) : undefined);
  if (end.killed) {
    kills += 1;
    continue;
  }
  // What may still be paid, or stopped before it was: "the same command goes on".
  if ((end.code === 5 || end.code === 8 || end.code === 1) && retries < 20) {
    retries += 1;
    continue;
  }
  process.stderr.write(end.talk);
  console.log(`killed ${kills} times, stopped by itself ${retries} times, then ended with ${end.code}`);
  process.exit(end.code ?? 1);
}
