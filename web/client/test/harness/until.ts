// Waiting for what happens at another time: a condition is asked again until it holds.

/** How long a condition may take. On a quiet machine none takes 10 s; this one may be loaded. */
export const patience = Number(process.env["PATIENCE_MS"] || 0) || 30_000;
const pause = 20;

export const sleep = (ms: number) => new Promise<void>(done => setTimeout(done, ms));

/** Waits until the condition holds, and fails with the description after limit. */
export async function until(what: string, holds: () => unknown, limit = patience): Promise<void> {
  const end = performance.now() + limit;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${limit} ms: ${what}`);
    await sleep(pause);
  }
}

/** Waits until check throws no more, and throws its last error after limit. */
export async function eventually(check: () => unknown, limit = patience): Promise<void> {
  const end = performance.now() + limit;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(pause);
    }
  }
}
