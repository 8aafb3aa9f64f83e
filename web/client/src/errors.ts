import type { Problem } from "./types.js";

/** A request that the server answered with a problem, or did not answer. */
export class RequestError extends Error {
  /** The status of the answer; 0 without one. */
  readonly status: number;
  readonly problem: Problem | undefined;
  constructor(status: number, problem?: Problem, options?: ErrorOptions) {
    super(problem?.detail ?? problem?.title ?? (status ? `The server answered ${status}.` : "The server cannot be reached."), options);
    this.name = "RequestError";
    this.status = status;
    this.problem = problem;
  }
}

/** Thrown by getToken when the person must sign in again. */
export class SignedOut extends Error {
  override name = "SignedOut";
}
