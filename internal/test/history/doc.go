// Package history holds tests of what many clients see at once, on the real engine.
//
// Whole histories of calls, made side by side while the store fails in every way it can, are
// checked for linearizability: each room's messages as registers with revisions, and its feed as a
// log that only grows. Listings promise less, since their index lags: their pages are checked for
// what they do promise, that a page and the changes since it are whole.
//
// A checker that never complains proves nothing, so faults are seeded behind the same interfaces,
// and each must be found.
package history
