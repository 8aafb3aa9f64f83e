// Waiting for what happens at another time: a condition is asked again until it holds.

/** Ends what hangs. No condition takes so long on any machine. */
export const patience = Number(process.env["PATIENCE_MS"] || 0) || 60_000;
const pause = 20;

/** A pause of the machine. It makes room for others, and is never long enough for anything. */
export const sleep = (ms: number) => new Promise<void>(done => setTimeout(done, ms));

/** Waits until the condition holds, and fails with the description if it never does. */
export async function until(what: string, holds: () => unknown): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`never: ${what}`);
    await sleep(pause);
  }
}

/** Waits until check throws no more, and throws its last error if it always does. */
export async function eventually(check: () => unknown): Promise<void> {
  let failure: unknown;
  await until("a check holds", async () => {
    try {
      await check();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  }).catch(() => { throw failure; });
}
