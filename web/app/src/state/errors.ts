/** Returns why something failed, in the server's words if it gave some. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
