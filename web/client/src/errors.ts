import type { components } from "./api.gen.js";

type Problem = components["schemas"]["Problem"];

/** Thrown for a request that the server refused or did not answer. */
export class RequestError extends Error {
  override name = "RequestError";
  /** The status of the answer; 0 without one. */
  readonly status: number;
  readonly problem: Problem | undefined;
  /** The server's `Retry-After` in seconds; 0 without one. */
  readonly retryAfter: number;
  constructor(status: number, problem?: Problem, options?: ErrorOptions, retryAfter = 0) {
    super(
      problem?.detail
        ?? problem?.title
        ?? (status ? `The server answered ${status}.` : "The server cannot be reached."),
      options,
    );
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** Thrown by getToken when the person must sign in again. */
export class SignedOut extends Error {
  override name = "SignedOut";
}
